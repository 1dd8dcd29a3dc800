import { WebError } from './errors.ts'

/** What a refused client is told to wait: most runs end within it. */
const RETRY_AFTER_SECONDS = 2

interface Run<T> {
  readonly key: string
  readonly controller: AbortController
  readonly result: Promise<T>
  clients: number
}

/**
 * Runs started by a URL: a bounded number at once, one for all who ask the same, and none that nobody waits for.
 * An aborted run holds its place until it has really ended, because its sockets do too.
 */
export class FreshRuns<T> {
  readonly #limit: number
  readonly #running = new Set<Run<T>>()
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Joins the run of that key, or starts it.
   *
   * @param client aborted when that client is gone; the run is aborted with its last client
   * @throws WebError `too_many_runs`, or `closing` when `close` gave the run up
   */
  async run(key: string, client: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const run = this.#find(key) ?? this.#start(key, start)
    const leave = () => {
      run.clients--
      if (run.clients === 0) run.controller.abort()
    }
    run.clients++
    client.addEventListener('abort', leave, { once: true })
    if (client.aborted) leave()
    try {
      return await run.result
    } catch (error) {
      if (this.#closed && run.controller.signal.aborted) throw closingError()
      throw error
    } finally {
      client.removeEventListener('abort', leave)
    }
  }

  /** Aborts what is under way; nothing starts any more. */
  close(): void {
    this.#closed = true
    for (const run of this.#running) run.controller.abort()
  }

  #find(key: string): Run<T> | undefined {
    for (const run of this.#running) {
      if (run.key === key && !run.controller.signal.aborted) return run
    }
    return undefined
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Run<T> {
    if (this.#closed) throw closingError()
    if (this.#running.size >= this.#limit) {
      throw new WebError(
        'too_many_runs',
        `Cannot start fresh probes: ${this.#limit} runs are under way, which is the limit`,
        { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
      )
    }
    const controller = new AbortController()
    const run: Run<T> = { key, controller, result: start(controller.signal), clients: 0 }
    this.#running.add(run)
    const end = () => {
      this.#running.delete(run)
    }
    run.result.then(end, end)
    return run
  }
}

function closingError(): WebError {
  return new WebError('closing', 'Cannot run fresh probes: the agent shuts down')
}
