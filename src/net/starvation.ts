import { closeSync, openSync, readSync } from 'node:fs'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'

/** Time between two looks at the loop's punctuality. */
const TICK: Seconds = 0.05
/** Timers are grained in milliseconds: lateness below this says nothing. */
const TIMER_GRAIN: Seconds = 0.002
/** A poll that finds something to do at once takes less. */
const SLEEP: Seconds = 0.000_05
/** How far back a loop that never sleeps looks. */
const LOOK_BACK: Seconds = 1

/** The state at one moment, to ask later what was suffered since. */
export interface Mark {
  readonly at: Instant
  readonly runQueueWait: Seconds
  readonly lag: Seconds
}

/** The state before the loop may sleep. */
interface Pause extends Mark {
  readonly utilization: EventLoopUtilization
}

/**
 * How long this process was kept from running, so that its own starvation is not mistaken for a slow network:
 * the main thread's wait for a CPU, as the kernel counts it, and the lateness of a timer, which also sees a
 * stopped process.
 */
export class Starvation implements Disposable {
  readonly #clock: Clock
  #schedstat: number | undefined
  readonly #buffer = Buffer.alloc(64)
  readonly #ticker: NodeJS.Timeout
  #due: Instant
  #lagTotal: Seconds = 0
  #lastLag: Seconds = 0
  /** Before the last poll that slept, and before the last poll. */
  #slept: Pause
  #paused: Pause
  #pausePending = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#schedstat = openSchedstat()
    this.#due = clock.now() + TICK
    this.#slept = this.#pause()
    this.#paused = this.#slept
    this.#ticker = setInterval(() => this.#tick(), TICK * 1000)
    this.#ticker.unref()
  }

  /** Whether the kernel counts run-queue wait here; if not, only lag is seen. */
  get seesRunQueue(): boolean {
    return this.#schedstat !== undefined
  }

  mark(): Mark {
    return { at: this.#clock.now(), runQueueWait: this.runQueueWait(), lag: this.#lagTotal }
  }

  /** Noise since a mark: the larger of the waits for a CPU and the loop's lag. */
  since(mark: Mark): Seconds {
    return Math.max(this.runQueueWait() - mark.runQueueWait, this.lagSince(mark))
  }

  lagSince(mark: Mark): Seconds {
    const now = this.#clock.now()
    // A tick that is overdue and has not run yet counts as far as it goes.
    const pending = Math.max(0, now - this.#due - TIMER_GRAIN)
    return Math.min(now - mark.at, this.#lagTotal - mark.lag + pending)
  }

  /**
   * Waits since the loop last slept (1 s back at most): what whoever is served now was kept waiting.
   * "During the service" would show nothing, since a starved process waits before it receives.
   *
   * @param receivedAt when it began to be served; the service itself is not lag
   */
  current(receivedAt: Instant): { readonly runQueueWait: Seconds; readonly loopLag: Seconds } {
    const service = this.#clock.now() - receivedAt
    const slept = this.#lastSleep()
    const active = performance.eventLoopUtilization(slept.utilization).active / 1000 - service
    this.#pauseBeforeSleep()
    return {
      runQueueWait: this.runQueueWait() - slept.runQueueWait,
      loopLag: Math.max(active, this.lagSince(slept)),
    }
  }

  /** Total wait of the main thread for a CPU: second field of `schedstat`, ns (kernel Documentation/scheduler/sched-stats). */
  runQueueWait(): Seconds {
    if (this.#schedstat === undefined) return 0
    const length = readSync(this.#schedstat, this.#buffer, 0, this.#buffer.length, 0)
    const text = this.#buffer.toString('latin1', 0, length)
    const start = text.indexOf(' ') + 1
    return Number(text.slice(start, text.indexOf(' ', start))) / 1e9
  }

  /** Lag of the latest tick. */
  get lastLag(): Seconds {
    return this.#lastLag
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticker)
    if (this.#schedstat !== undefined) closeSync(this.#schedstat)
    this.#schedstat = undefined
  }

  #tick(): void {
    const now = this.#clock.now()
    this.#lastLag = Math.max(0, now - this.#due - TIMER_GRAIN)
    this.#lagTotal += this.#lastLag
    this.#due = now + TICK
    this.#pauseBeforeSleep()
  }

  // Immediates run after the sockets were served and before the loop can sleep again.
  #pauseBeforeSleep(): void {
    if (this.#pausePending) return
    this.#pausePending = true
    setImmediate(() => {
      this.#pausePending = false
      this.#lastSleep()
      this.#paused = this.#pause()
    })
  }

  #pause(): Pause {
    return { ...this.mark(), utilization: performance.eventLoopUtilization() }
  }

  // What woke us can take several turns of the loop until it is served, such as accepting a connection and
  // reading from it: they do not sleep in between.
  #lastSleep(): Pause {
    const idle = performance.eventLoopUtilization(this.#paused.utilization).idle / 1000
    if (idle > SLEEP || this.#paused.at - this.#slept.at > LOOK_BACK) this.#slept = this.#paused
    return this.#slept
  }
}

function openSchedstat(): number | undefined {
  try {
    // The main thread's id is the process's.
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return undefined
  }
}
