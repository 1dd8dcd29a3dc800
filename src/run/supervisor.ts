import type { Io, Kind } from '../kinds/kind.ts'
import type { Check, CheckId, Sink } from '../model/check.ts'
import type { Instant } from '../model/clock.ts'
import type { KindName } from '../model/facts.ts'
import type { Collected, Collector } from '../model/family.ts'
import { quantile } from '../model/quantile.ts'
import { RecentValues } from '../model/recent-values.ts'
import { diffChecks } from '../plan/diff.ts'
import { createSchedule } from '../plan/due.ts'
import { Attempts, type SkipReason, type SlotCount } from './attempts.ts'
import { schedulerFamilies } from './families.ts'

export interface SupervisorOptions {
  readonly kinds: Readonly<Record<KindName, Kind>>
  readonly io: Io
  readonly sink: Sink
  /** Told of faults of this program, with the check they came from. */
  onFault(error: unknown, check: Check): void
}

/** The only owner of anything that runs by schedule: makes what runs be what is planned. */
export class Supervisor implements AsyncDisposable, Collector {
  readonly families = Object.values(schedulerFamilies)
  readonly #options: SupervisorOptions
  readonly #running = new Map<CheckId, { readonly check: Check; readonly attempts: Attempts }>()
  readonly #startDelays = new RecentValues(60)
  readonly #skipped: Record<SkipReason, number> = { busy: 0, late: 0 }
  /** Slots of attempts that have ended with their checks. */
  #dueBefore = 0
  #faults = 0
  /** One for all checks, so that a check planned anew keeps its step. */
  readonly #origin: Instant
  #closing = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#origin = options.io.clock.now()
  }

  get checks(): readonly Check[] {
    return Array.from(this.#running.values(), ({ check }) => check)
  }

  /** Starts, stops and replaces until exactly `planned` runs. What is unchanged keeps its connection and its place in the schedule. */
  async reconcile(planned: readonly Check[]): Promise<void> {
    if (this.#closing) return
    const { sink } = this.#options
    const { start, stop, update } = diffChecks(this.checks, planned)
    const ended = [...stop, ...update.map(({ before }) => before)].map((check) => this.#stop(check))
    for (const check of stop) sink.forget(check)
    for (const check of start) sink.begin(check)
    for (const { before, after } of update) {
      // Another zone or another boundary is another set of series.
      sink.forget(before)
      sink.begin(after)
    }
    for (const check of [...start, ...update.map(({ after }) => after)]) this.#start(check)
    await Promise.all(ended)
  }

  count(): SlotCount {
    const sum = { due: 0, finished: 0, inFlight: 0, cancelled: 0, skipped: 0 }
    for (const { attempts } of this.#running.values()) {
      const count = attempts.count()
      for (const key of Object.keys(sum) as (keyof SlotCount)[]) sum[key] += count[key]
    }
    return sum
  }

  *collect(now: number): Iterable<Collected> {
    const delays = this.#startDelays.sorted(now)
    yield { family: schedulerFamilies.due, samples: [{ value: this.#dueBefore + this.count().due }] }
    yield {
      family: schedulerFamilies.skipped,
      samples: Object.entries(this.#skipped).map(([reason, value]) => ({ value, labels: { reason } })),
    }
    yield {
      family: schedulerFamilies.startDelay,
      samples: [
        { stat: 'p50', value: quantile(delays, 0.5) },
        { stat: 'p99', value: quantile(delays, 0.99) },
        { stat: 'max', value: quantile(delays, 1) },
      ].flatMap(({ stat, value }) => (value === undefined ? [] : [{ value, labels: { stat } }])),
    }
    yield { family: schedulerFamilies.faults, samples: [{ value: this.#faults }] }
    yield { family: schedulerFamilies.openSockets, samples: [{ value: this.#options.io.dialer.open }] }
  }

  /** Cancels everything. No series is forgotten: the process is about to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    await Promise.all(this.checks.map((check) => this.#stop(check)))
  }

  #start(check: Check): void {
    const { kinds, io, sink } = this.#options
    const { clock, node } = io
    const prober = kinds[check.kind].bind(check, io, (observation) => sink.record(check, observation))
    const schedule = createSchedule({ origin: this.#origin, every: check.every, id: check.id, node })
    const attempts = new Attempts({
      check,
      prober,
      schedule,
      clock,
      onSkipped: (reason, slots) => this.#onSkipped(check, reason, slots),
      onStart: (delay) => this.#startDelays.add(clock.now(), delay),
      onFault: (error) => {
        this.#faults += 1
        this.#options.onFault(error, check)
      },
    })
    this.#running.set(check.id, { check, attempts })
  }

  async #stop(check: Check): Promise<void> {
    const entry = this.#running.get(check.id)
    if (entry === undefined) return
    this.#running.delete(check.id)
    this.#dueBefore += entry.attempts.count().due
    await entry.attempts[Symbol.asyncDispose]()
  }

  #onSkipped(check: Check, reason: SkipReason, slots: number): void {
    this.#skipped[reason] += slots
    if (reason === 'busy') this.#options.sink.skipped(check)
  }
}
