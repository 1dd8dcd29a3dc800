import { execFileSync, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { startChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

const START_LIMIT_MS = 30_000

/** One series of an instant vector. */
export interface Row {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What Prometheus says of one target. */
export interface ScrapeTarget {
  readonly scrapeUrl: string
  readonly health: 'up' | 'down' | 'unknown'
  /** Why the last scrape failed; empty when it did not. */
  readonly lastError: string
}

export interface Prometheus extends AsyncDisposable {
  /** Evaluates an expression now. @throws Error with Prometheus' own words when it refuses it */
  query(expression: string): Promise<readonly Row[]>
  targets(): Promise<readonly ScrapeTarget[]>
}

export interface PrometheusOptions {
  /** Folder for its configuration and data. */
  readonly dir: string
  /** `host:port` of each. */
  readonly targets: readonly string[]
  /** Seconds between two scrapes. */
  readonly scrapeEvery: number
}

/** Starts Debian's Prometheus, which scrapes the targets as the job `pathmeter`, and waits until it answers. */
export async function startPrometheus({ dir, targets, scrapeEvery }: PrometheusOptions): Promise<Prometheus> {
  const command = requireProgram('prometheus')
  const port = await findFreePort()
  const file = join(dir, 'prometheus.yaml')
  const interval = `${scrapeEvery}s`
  await writeFile(
    file,
    stringify({
      global: { scrape_interval: interval, scrape_timeout: interval },
      scrape_configs: [{ job_name: 'pathmeter', static_configs: [{ targets }] }],
    }),
  )
  const child = await startChild({
    command,
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
  })
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntil(() => isReady(url), { withinMs: START_LIMIT_MS, what: 'Prometheus answers' })
  } catch (error) {
    await child[Symbol.asyncDispose]()
    throw new Error(`Cannot start Prometheus: ${child.output()}`, { cause: error })
  }
  return {
    query: async (expression) =>
      (await ask<VectorAnswer>(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)).result.map(
        ({ metric, value }) => ({ labels: metric, value: Number(value[1]) }),
      ),
    targets: async () => (await ask<TargetsAnswer>(`${url}/api/v1/targets`)).activeTargets,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** What `promtool check metrics` has to say of an exposition, and its exit code. */
export function lintMetrics(text: string): { readonly code: number | null; readonly findings: string } {
  const { status, stdout, stderr } = spawnSync(requireProgram('promtool'), ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  return { code: status, findings: stdout + stderr }
}

/** @throws Error with the command that installs it */
function requireProgram(name: 'prometheus' | 'promtool'): string {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return name
  } catch (error) {
    const install = 'apt-get install -y --no-install-recommends prometheus'
    throw new Error(`Cannot run "${name}": install it by "make setup", or by "${install}"`, { cause: error })
  }
}

interface VectorAnswer {
  readonly result: readonly {
    readonly metric: Record<string, string>
    readonly value: readonly [number, string]
  }[]
}

interface TargetsAnswer {
  readonly activeTargets: readonly ScrapeTarget[]
}

async function ask<T>(url: string): Promise<T> {
  const response = await fetch(url)
  const answer = (await response.json()) as { status: string; data: T; error?: string }
  if (answer.status !== 'success') throw new Error(`Prometheus refuses "${url}": ${answer.error}`)
  return answer.data
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ready`)).ok
  } catch (error) {
    // Nobody listens yet.
    if (error instanceof TypeError) return false
    throw error
  }
}
