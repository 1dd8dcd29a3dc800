import type { Prober } from '../kinds/kind.ts'
import type { Check } from '../model/check.ts'
import type { Clock } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import { Cancelled, startDeadline } from '../net/deadline.ts'
import type { Schedule } from '../plan/due.ts'

/**
 * Why a slot was not used: `busy`, earlier attempts still hold every place, which says something of the path;
 * `late`, this agent slept through it, which does not.
 */
export type SkipReason = 'busy' | 'late'

export interface AttemptsOptions {
  readonly check: Check
  readonly prober: Prober
  readonly schedule: Schedule
  readonly clock: Clock
  onSkipped(reason: SkipReason, slots: number): void
  /** From the moment a slot was due to the start of its attempt. */
  onStart(delay: Seconds): void
  /** An attempt threw: a fault of this program. */
  onFault(error: unknown): void
}

/** A timer that is set further ahead overflows and fires at once (above 2^31 ms, 24.8 days). */
const FURTHEST_TIMER_MS = 24 * 3600 * 1000

/** Of the slots that were due since the start: `due = finished + inFlight + cancelled + skipped`, at any time. */
export interface SlotCount {
  readonly due: number
  readonly finished: number
  readonly inFlight: number
  readonly cancelled: number
  readonly skipped: number
}

/** Starts the attempts of one check when they are due. Disposing it cancels what is under way and disposes the prober. */
export class Attempts implements AsyncDisposable {
  readonly #options: AttemptsOptions
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #pendingStart: NodeJS.Immediate | undefined
  /** The next slot that has not been looked at. */
  #next: number
  #finished = 0
  #cancelled = 0
  #skipped = 0
  #due = 0

  constructor(options: AttemptsOptions) {
    this.#options = options
    this.#next = options.schedule.slotIndexAt(options.clock.now()) + 1
    this.#arm()
  }

  count(): SlotCount {
    return {
      due: this.#due,
      finished: this.#finished,
      inFlight: this.#running.size,
      cancelled: this.#cancelled,
      skipped: this.#skipped,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    clearImmediate(this.#pendingStart)
    this.#stop.abort()
    await Promise.all(this.#running)
    await this.#options.prober[Symbol.asyncDispose]()
  }

  #arm(): void {
    const { schedule, clock } = this.#options
    const wait = schedule.dueTime(this.#next) - clock.now()
    const ms = Math.min(FURTHEST_TIMER_MS, Math.max(0, Math.ceil(wait * 1000)))
    this.#timer = setTimeout(() => {
      // After a pause timers run before sockets are read: an attempt would take a kept connection for open that
      // has ended meanwhile.
      this.#pendingStart = setImmediate(() => this.#onDue())
    }, ms)
  }

  #onDue(): void {
    const { schedule, clock, check } = this.#options
    const latest = schedule.slotIndexAt(clock.now())
    // Timers fire up to 1.7 ms early, and distant ones on the way.
    if (latest >= this.#next) {
      const missed = latest - this.#next
      this.#next = latest + 1
      if (missed > 0) this.#skip('late', missed)
      if (this.#running.size >= check.overlap) this.#skip('busy', 1)
      else this.#start(latest)
    }
    this.#arm()
  }

  #skip(reason: SkipReason, slots: number): void {
    this.#due += slots
    this.#skipped += slots
    this.#options.onSkipped(reason, slots)
  }

  #start(slot: number): void {
    const { schedule, clock, onStart } = this.#options
    onStart(clock.now() - schedule.dueTime(slot))
    const attempt: Promise<void> = this.#attempt().then((cancelled) => {
      this.#running.delete(attempt)
      if (cancelled) this.#cancelled += 1
      else this.#finished += 1
    })
    this.#running.add(attempt)
    this.#due += 1
  }

  /** @returns whether it was cancelled */
  async #attempt(): Promise<boolean> {
    const { check, clock, prober, onFault } = this.#options
    using deadline = startDeadline({ limit: check.limit, parent: this.#stop.signal, clock })
    try {
      await prober.attempt(deadline.signal)
    } catch (error) {
      onFault(error)
    }
    return deadline.signal.reason instanceof Cancelled
  }
}
