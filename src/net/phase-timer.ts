import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { Phase } from '../model/reason.ts'

/** Splits the time of one attempt into phases: each instant belongs to exactly one, but for those under `hold`. */
export class PhaseTimer {
  readonly startedAt: Instant
  readonly #clock: Clock
  readonly #phases: Partial<Record<Phase, Seconds>> = {}
  #phase: Phase
  #since: Instant
  #held = false

  constructor(clock: Clock, first: Phase) {
    this.#clock = clock
    this.#phase = first
    this.startedAt = clock.now()
    this.#since = this.startedAt
  }

  /** The phase that time is running for. */
  get phase(): Phase {
    return this.#phase
  }

  /** Ends the running phase at `at` and begins the next. */
  enter(next: Phase, at: Instant = this.#clock.now()): void {
    this.#close(at)
    this.#phase = next
  }

  /** Ends the running phase; what comes until the next one is waiting of our own choice, and no part of the attempt. */
  hold(at: Instant = this.#clock.now()): void {
    this.#close(at)
    this.#held = true
  }

  /** Ends the running phase and returns all of them. */
  stop(at: Instant = this.#clock.now()): Readonly<Partial<Record<Phase, Seconds>>> {
    this.#close(at)
    return this.#phases
  }

  #close(at: Instant): void {
    if (!this.#held)
      this.#phases[this.#phase] = (this.#phases[this.#phase] ?? 0) + Math.max(0, at - this.#since)
    this.#held = false
    this.#since = at
  }
}
