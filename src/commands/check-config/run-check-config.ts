import { hostname } from 'node:os'
import { formatProblems } from '../../config/format-problems.ts'
import { loadCheckedConfig } from '../load-checked-config.ts'
import { configJson, problemsJson } from './config-json.ts'
import { reportOn } from './config-report.ts'
import { configText } from './config-text.ts'

/** Options of the command. */
export interface CheckConfigFlags {
  /** Size of the fleet to expect. */
  readonly nodes?: number
  readonly zones: number
  readonly json?: boolean
}

/**
 * Checks a configuration as an agent would, and prints what it comes to.
 *
 * @returns the exit code: 0 for a valid file, 2 for one with problems
 */
export async function runCheckConfig(
  file: string,
  { nodes, zones, json = false }: CheckConfigFlags,
): Promise<number> {
  const loaded = await loadCheckedConfig(file, { variables: process.env, hostname: hostname() })
  if ('problems' in loaded) {
    process.stderr.write(`${formatProblems(file, loaded.problems)}\n`)
    if (json) printJson(problemsJson(file, loaded.problems))
    return 2
  }
  const report = reportOn(loaded.config, nodes === undefined ? undefined : { nodes, zones })
  if (json) printJson(configJson(file, report))
  else process.stdout.write(configText(file, report))
  return 0
}

function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
