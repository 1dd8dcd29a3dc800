import { hash } from 'node:crypto'
import type { Clock } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { AgentFamily, Collected, Collector } from '../model/family.ts'
import type { Problem } from '../model/problem.ts'
import { type ConfigChanges, configChanges } from './config-changes.ts'
import type { Environment } from './identity.ts'
import { parseConfig, readText } from './load.ts'
import type { Config } from './schema.ts'

/** What a reload did: the keys that count from now on and those that wait for a restart, or why nothing changed. */
export type ReloadOutcome =
  | { readonly ok: true; readonly applied: readonly string[]; readonly needsRestart: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export interface WatchOptions {
  readonly file: string
  readonly environment: Environment
  /** The configuration that the agent was started with. */
  readonly initial: Config
  readonly clock: Clock
  /** Time between two looks at the file's content; 10 s by default. */
  readonly pollEvery?: Seconds
  /** What must hold besides config/'s own rules, such as the cap on rates. */
  check?(config: Config): readonly Problem[]
  /** A file without problems changed something. A rejection counts as a problem, and the old configuration as running. */
  onChange(config: Config, changes: ConfigChanges): void | Promise<void>
  /** A file cannot be used: the configuration in force stays. Called once for each content of the file. */
  onProblems(problems: readonly Problem[]): void
}

/** A watch over the configuration file. Disposing it ends it, after the reloads that are under way. */
export interface ConfigWatch extends Collector, AsyncDisposable {
  /** The configuration in force. */
  readonly config: Config
  /** Reads the file now, changed or not: for SIGHUP and `POST /-/reload`. One reload at a time, in the order asked. */
  reload(): Promise<ReloadOutcome>
}

/**
 * Watches the content of a configuration file and keeps the last good one. Content, not the file: a ConfigMap is
 * replaced by swapping symlinks, several of them, for one change.
 */
export function watchConfig(options: WatchOptions): ConfigWatch {
  return new FileWatch(options)
}

/** What is shown of reloading. */
export const reloadFamilies = {
  successful: {
    name: 'config_last_reload_successful',
    help: '1 when the configuration file as it is now is in force, 0 when it has problems and the last good one is.',
    type: 'gauge',
    labels: [],
  },
  successAt: {
    name: 'config_last_reload_success_timestamp_seconds',
    help: 'When a configuration was last loaded without problems.',
    type: 'gauge',
    labels: [],
  },
} satisfies Record<string, AgentFamily>

type ReadText = Awaited<ReturnType<typeof readText>>

class FileWatch implements ConfigWatch {
  readonly families = Object.values(reloadFamilies)
  readonly #options: WatchOptions
  #config: Config
  /** Fingerprint of the content that was last looked at, good or bad. */
  #seen: string | undefined
  #successful = true
  #successAt: Seconds
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** Ends when all reloads that were asked for have. */
  #idle: Promise<unknown> = Promise.resolve()

  constructor(options: WatchOptions) {
    this.#options = options
    this.#config = options.initial
    this.#successAt = options.clock.wall()
    this.#schedule()
  }

  get config(): Config {
    return this.#config
  }

  async reload(): Promise<ReloadOutcome> {
    if (this.#closed) return { ok: false, problems: [{ path: '', message: 'is not read any more' }] }
    return this.#inTurn(async () => this.#take(await readText(this.#options.file)))
  }

  *collect(): Iterable<Collected> {
    yield { family: reloadFamilies.successful, samples: [{ value: this.#successful ? 1 : 0 }] }
    yield { family: reloadFamilies.successAt, samples: [{ value: this.#successAt }] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#idle
  }

  #schedule(): void {
    const { pollEvery = 10 } = this.#options
    this.#timer = setTimeout(() => this.#inTurn(() => this.#poll()), pollEvery * 1000).unref()
  }

  async #poll(): Promise<void> {
    if (this.#closed) return
    const read = await readText(this.#options.file)
    if (fingerprint(read) !== this.#seen) await this.#take(read)
    if (!this.#closed) this.#schedule()
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#idle.then(task)
    this.#idle = turn.catch(() => undefined)
    return turn
  }

  async #take(read: ReadText): Promise<ReloadOutcome> {
    this.#seen = fingerprint(read)
    const { environment, check } = this.#options
    const loaded = 'problems' in read ? read : parseConfig(read.text, environment)
    if ('problems' in loaded) return this.#refuse(loaded.problems)
    const problems = check?.(loaded.config) ?? []
    return problems.length > 0 ? this.#refuse(problems) : this.#apply(loaded.config)
  }

  async #apply(next: Config): Promise<ReloadOutcome> {
    const changes = configChanges(this.#config, next)
    const { effective, applied, needsRestart } = changes
    try {
      if (applied.length + needsRestart.length > 0) await this.#options.onChange(effective, changes)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return this.#refuse([{ path: '', message: `cannot be put in force: ${why}` }])
    }
    this.#config = effective
    this.#successful = true
    this.#successAt = this.#options.clock.wall()
    return { ok: true, applied, needsRestart }
  }

  #refuse(problems: readonly Problem[]): ReloadOutcome {
    this.#successful = false
    this.#options.onProblems(problems)
    return { ok: false, problems }
  }
}

function fingerprint(read: ReadText): string {
  return 'problems' in read ? JSON.stringify(read.problems) : hash('sha256', read.text)
}
