import { readFile } from 'node:fs/promises'

/** The parts of vitest's JSON report that say how it ended. */
export interface TestReport {
  readonly success: boolean
  readonly testResults: readonly FileResult[]
}

interface FileResult {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
}

export interface Verdict {
  /** The closing line, after what is to be said before it. */
  readonly lines: readonly string[]
  readonly good: boolean
}

if (import.meta.main) {
  const [, , path = '', exitCode = '1'] = process.argv
  const { lines, good } = summarize(await readReport(path), Number(exitCode))
  for (const line of lines) console.log(line)
  process.exitCode = good ? 0 : 1
}

async function readReport(path: string): Promise<TestReport | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Sums up a run of the tests in one line. A test that did not run counts as failed, as does a file that could not be loaded,
 * and a run that failed as a whole counts as one failure at least.
 *
 * @param report undefined when no test was run
 * @param exitCode that of the command which checked and tested
 */
export function summarize(report: TestReport | undefined, exitCode: number): Verdict {
  const files = report?.testResults ?? []
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const broken = files.filter(isBroken).map(({ name }) => `${name} could not be run`)
  const others = tests
    .filter(({ status }) => status !== 'passed')
    .map(({ fullName, status }) => `${fullName}: ${status}`)
  const failures = [...broken, ...others]
  if (failures.length === 0 && passed === 0) failures.push('No test was run')
  if (failures.length === 0 && (exitCode !== 0 || report?.success !== true)) {
    failures.push(`Every test passed, but the run ended with exit code ${exitCode}`)
  }
  return {
    lines: [...failures, `${passed} passed, ${failures.length} failed`],
    good: failures.length === 0,
  }
}

/** Failed as a file, while no test of it did: an import or a hook was at fault. */
function isBroken({ status, assertionResults }: FileResult): boolean {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
}
