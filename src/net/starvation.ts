import { closeSync, openSync, readSync } from 'node:fs'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'

/** Time between two looks at the loop's punctuality. Each wakes the process, which costs more than the look. */
const TICK: Seconds = 0.25
/** Timers are grained in milliseconds: lateness below this says nothing. */
const TIMER_GRAIN: Seconds = 0.002
/** Work of the loop that may belong to what is measured or served: accepting, reading, answering. */
const OWN_WORK: Seconds = 0.002
/** A poll that finds something to do at once takes less, on a slow virtual machine too. */
const SLEEP: Seconds = 0.001
/** Work that a loop which never sleeps can have kept anyone waiting with. */
const MOST_WORK: Seconds = 1

/** The state at one moment, to ask later what was suffered since. */
export interface Mark {
  readonly at: Instant
  readonly runQueueWait: Seconds
  /** Lateness of all ticks so far. */
  readonly lag: Seconds
  readonly utilization: EventLoopUtilization
}

/**
 * How long this process was kept from running, so that its own starvation is not mistaken for a slow network:
 * the main thread's wait for a CPU, as the kernel counts it; how long the loop was at work; and the lateness of a
 * timer, which also sees a process that is stopped while it sleeps.
 */
export class Starvation implements Disposable {
  readonly #clock: Clock
  #schedstat: number | undefined
  readonly #buffer = Buffer.alloc(64)
  readonly #ticker: NodeJS.Timeout
  #due: Instant
  #lagTotal: Seconds = 0
  /** Before the last poll that slept, and before the last poll. */
  #slept: Mark
  #paused: Mark
  #pausePending = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#schedstat = openSchedstat()
    this.#due = clock.now() + TICK
    this.#slept = this.#read()
    this.#paused = this.#slept
    this.#ticker = setInterval(() => this.#tick(), TICK * 1000)
    this.#ticker.unref()
  }

  /** Whether the kernel counts run-queue wait here; if not, only lag is seen. */
  get seesRunQueue(): boolean {
    return this.#schedstat !== undefined
  }

  mark(): Mark {
    this.#pauseBeforeSleep()
    return this.#read()
  }

  /** Noise since a mark: the largest of the wait for a CPU, the loop's work beyond what an attempt takes, and its lag. */
  since(mark: Mark): Seconds {
    this.#pauseBeforeSleep()
    const waited = this.runQueueWait() - mark.runQueueWait
    return Math.max(waited, activeSince(mark) - OWN_WORK, this.#lateSince(mark))
  }

  /** Lateness of all ticks so far, the one that is overdue among them. */
  get lag(): Seconds {
    return this.#lagTotal + Math.max(0, this.#clock.now() - this.#due - TIMER_GRAIN)
  }

  /**
   * Waits since the loop last slept: what whoever is served now was kept waiting.
   * "During the service" would show nothing, since a starved process waits before it receives.
   *
   * @param receivedAt when it began to be served; the service itself is not lag
   */
  current(receivedAt: Instant): { readonly runQueueWait: Seconds; readonly loopLag: Seconds } {
    const service = this.#clock.now() - receivedAt
    const slept = this.#lastSleep()
    const active = activeSince(slept) - service
    this.#pauseBeforeSleep()
    return {
      runQueueWait: this.runQueueWait() - slept.runQueueWait,
      loopLag: Math.max(0, Math.min(MOST_WORK, active - OWN_WORK), this.#lateSince(slept)),
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

  [Symbol.dispose](): void {
    clearInterval(this.#ticker)
    if (this.#schedstat !== undefined) closeSync(this.#schedstat)
    this.#schedstat = undefined
  }

  #read(): Mark {
    return {
      at: this.#clock.now(),
      runQueueWait: this.runQueueWait(),
      lag: this.lag,
      utilization: performance.eventLoopUtilization(),
    }
  }

  #lateSince(mark: Mark): Seconds {
    return Math.min(this.#clock.now() - mark.at, this.lag - mark.lag)
  }

  #tick(): void {
    const now = this.#clock.now()
    this.#lagTotal = this.lag
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
      this.#paused = this.#read()
    })
  }

  // What woke us can take several turns of the loop until it is served, such as accepting a connection and
  // reading from it: they do not sleep in between.
  #lastSleep(): Mark {
    const idle = performance.eventLoopUtilization(this.#paused.utilization).idle / 1000
    if (idle > SLEEP) this.#slept = this.#paused
    return this.#slept
  }
}

/** How long the loop has been at work since a mark, and not asleep. */
function activeSince({ utilization }: Mark): Seconds {
  return performance.eventLoopUtilization(utilization).active / 1000
}

function openSchedstat(): number | undefined {
  try {
    // The main thread's id is the process's.
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return undefined
  }
}
