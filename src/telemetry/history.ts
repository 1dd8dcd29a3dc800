import type { Check, CheckId, Sink } from '../model/check.ts'
import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import { durationOf, flaggedBy, type Observation } from '../model/observation.ts'
import { OWN_REASONS } from '../model/reason.ts'
import type { Outcome, PathView } from '../model/view.ts'
import { AttemptRing, BYTES_PER_SLOT, type Result } from './attempt-ring.ts'
import { DEPARTED_GRACE } from './path-scopes.ts'
import { windowView } from './window-view.ts'

/** What each check may remember, when the budget allows. */
const SPAN: Seconds = 3600

const DEFAULT_BUDGET_BYTES = 8 * 2 ** 20

export interface HistoryOptions {
  readonly clock: Clock
  /** For all checks together, 8 MiB by default; at default rates an hour of 10 peers takes 1.2 MiB. */
  readonly budgetBytes?: number
}

interface Path {
  check: Check
  readonly ring: AttemptRing
  state: PathView['state']
  /** Since the Unix epoch. */
  since: Seconds
  last?: Outcome
  lastFailure?: Outcome
  forgottenAt?: Instant | undefined
}

/** What every path has been like for the last hour, with the details of the last attempt and the last failure. */
export class History implements Sink {
  readonly #clock: Clock
  readonly #budgetBytes: number
  readonly #paths = new Map<CheckId, Path>()

  constructor({ clock, budgetBytes = DEFAULT_BUDGET_BYTES }: HistoryOptions) {
    this.#clock = clock
    this.#budgetBytes = budgetBytes
  }

  /** Rotating peers have no history. A check that returns soon after it ended finds its own again. */
  begin(check: Check): void {
    if (check.target.rotating) return
    this.#dropForgotten(this.#clock.now())
    const path = this.#paths.getOrInsertComputed(check.id, () => ({
      check,
      ring: new AttemptRing(slotsOf(check)),
      state: 'unmeasured',
      since: this.#clock.wall(),
    }))
    path.check = check
    path.forgottenAt = undefined
    this.#shareBudget()
  }

  record(check: Check, observation: Observation): void {
    const path = this.#paths.get(check.id)
    if (path === undefined || observation.extra === true) return
    const now = this.#clock.now()
    const flagged = flaggedBy(observation)
    const result = resultOf(observation)
    const duration = durationOf(observation)
    const rtt = observation.facts.kernel?.rtt
    path.ring.push({ at: now, result, flagged: flagged !== undefined, duration, rtt })
    path.last = outcomeOf(observation, this.#clock.wall() - (now - observation.at))
    if (observation.failure !== undefined) path.lastFailure = path.last
    if (result !== 'own_failure') this.#enter(path, result === 'ok' ? 'ok' : 'failing')
  }

  skipped(check: Check): void {
    const at = this.#clock.now()
    this.#paths.get(check.id)?.ring.push({ at, result: 'skipped', flagged: false, duration: 0 })
  }

  forget(check: Check): void {
    const now = this.#clock.now()
    const path = this.#paths.get(check.id)
    if (path !== undefined) path.forgottenAt = now
    this.#dropForgotten(now)
    this.#shareBudget()
  }

  /** Every path that is measured now, in the order in which they began; numbers over the last `windowSeconds` (300). */
  paths(now: Instant, windowSeconds: Seconds = 300): PathView[] {
    return [...this.#paths.values()]
      .filter(({ forgottenAt }) => forgottenAt === undefined)
      .map((path) => viewOf(path, now, windowSeconds))
  }

  /** Undefined when no such path is measured now. */
  path(id: CheckId, now: Instant, windowSeconds: Seconds = 300): PathView | undefined {
    const path = this.#paths.get(id)
    return path === undefined || path.forgottenAt !== undefined ? undefined : viewOf(path, now, windowSeconds)
  }

  /** Memory of the rings, in bytes. */
  get bytes(): number {
    return this.#paths.values().reduce((sum, { ring }) => sum + ring.bytes, 0)
  }

  #enter(path: Path, state: PathView['state']): void {
    if (path.state === state) return
    path.state = state
    path.since = this.#clock.wall()
  }

  #dropForgotten(now: Instant): void {
    for (const [id, { forgottenAt }] of this.#paths) {
      if (forgottenAt !== undefined && now - forgottenAt > DEPARTED_GRACE) this.#paths.delete(id)
    }
  }

  /** An hour for each check; when that is more than the budget, the same part of an hour for each. */
  #shareBudget(): void {
    const wanted = this.#paths.values().reduce((sum, { check }) => sum + slotsOf(check), 0) * BYTES_PER_SLOT
    const share = Math.min(1, this.#budgetBytes / wanted)
    for (const { check, ring } of this.#paths.values()) {
      ring.limit = Math.max(1, Math.floor(share * slotsOf(check)))
    }
  }
}

function slotsOf({ every }: Check): number {
  return Math.ceil(SPAN / every)
}

function resultOf({ failure }: Observation): Result {
  if (failure === undefined) return 'ok'
  return OWN_REASONS.has(failure.reason) ? 'own_failure' : 'failed'
}

/** An attempt as it is shown to a person. `at` is when it started, in seconds since the Unix epoch. */
export function outcomeOf(observation: Observation, at: Seconds): Outcome {
  const { phases, failure, facts } = observation
  const flagged = flaggedBy(observation)
  return {
    at,
    duration: durationOf(observation),
    phases,
    ...(facts.kernel?.rtt === undefined ? {} : { rtt: facts.kernel.rtt }),
    ...(failure === undefined ? {} : { failure }),
    ...(flagged === undefined ? {} : { flagged }),
  }
}

function viewOf(path: Path, now: Instant, windowSeconds: Seconds): PathView {
  const { check, state, since, last, lastFailure, ring } = path
  return {
    check,
    state,
    since,
    ...(last === undefined ? {} : { last }),
    ...(lastFailure === undefined ? {} : { lastFailure }),
    window: windowView(ring.backTo(now - windowSeconds), windowSeconds),
  }
}
