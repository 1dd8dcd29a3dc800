import type { Check, Sink } from '../model/check.ts'
import type { Clock, Instant } from '../model/clock.ts'
import type { AgentFamily, Collected, Collector, PathFamily, Sample } from '../model/family.ts'
import { flaggedBy, type Observation } from '../model/observation.ts'
import { createPathStore } from './create-path-store.ts'
import { metricName } from './metric-name.ts'
import { appliesTo, kindRule, type PathRule, pathRules } from './path-families.ts'
import { type CheckScopes, PathScopes, type Scope } from './path-scopes.ts'
import type { PathStore } from './path-store.ts'

export type KindFamilies = Readonly<Record<string, readonly PathFamily<Observation>[]>>

/** Series of `full`, or about half of them: no histograms and no phases. */
export type Detail = 'full' | 'minimal'

interface BoundRule {
  readonly rule: PathRule
  readonly store: PathStore
}

export const samplesFlagged: AgentFamily = {
  name: 'samples_flagged_total',
  help: 'Scheduled attempts whose duration says more of a starved end (this agent, or the responder) than of the path.',
  type: 'counter',
  labels: ['reason', 'end'],
}

/** Turns observations into the series of paths. Extras are outside the schedule and outside every series. */
export class PathMetrics implements Sink, Collector {
  readonly families = [samplesFlagged]
  readonly stores: readonly PathStore[]
  readonly #clock: Clock
  readonly #scopes = new PathScopes()
  readonly #common: readonly BoundRule[]
  readonly #byKind: ReadonlyMap<string, readonly BoundRule[]>
  readonly #flagged = { own: 0, far: 0 }

  /** @throws Error when two different families have one name, or a name breaks the conventions */
  constructor(kinds: KindFamilies, clock: Clock, detail: Detail) {
    this.#clock = clock
    const stores = new Map<PathFamily<Observation>, PathStore>()
    const createStore = (family: PathFamily<Observation>) =>
      createPathStore(family, metricName(family), clock)
    const bind = (rules: readonly PathRule[]): BoundRule[] =>
      rules
        .filter(({ fullDetailOnly }) => detail === 'full' || !fullDetailOnly)
        .map((rule) => ({ rule, store: stores.getOrInsertComputed(rule.family, createStore) }))
    this.#common = bind(pathRules)
    this.#byKind = new Map(
      Object.entries(kinds).map(([kind, families]) => [
        kind,
        [...this.#common, ...bind(families.map(kindRule))],
      ]),
    )
    this.stores = [...stores.values()]
  }

  begin(check: Check): void {
    const now = this.#clock.now()
    const scopes = this.#scopes.begin(check, now)
    this.#add(check, scopes, now, ({ atStart }) => atStart)
  }

  record(check: Check, observation: Observation): void {
    const scopes = this.#scopes.of(check.id)
    if (scopes === undefined || observation.extra === true) return
    const flagged = flaggedBy(observation)
    if (flagged !== undefined) this.#flagged[flagged]++
    this.#add(check, scopes, this.#clock.now(), ({ family }) => family.read(observation))
  }

  skipped(check: Check): void {
    const scopes = this.#scopes.of(check.id)
    if (scopes !== undefined) this.#add(check, scopes, this.#clock.now(), ({ whenSkipped }) => whenSkipped)
  }

  forget(check: Check): void {
    this.#scopes.forget(check.id, this.#clock.now())
  }

  /** Drops the series of checks that ended longer ago than the time of grace. */
  sweep(now: Instant): void {
    for (const scope of this.#scopes.sweep(now)) for (const store of this.stores) store.drop(scope)
  }

  *collect(): Iterable<Collected> {
    const samples = Object.entries(this.#flagged).map(([end, value]) => ({
      value,
      labels: { reason: 'starved', end },
    }))
    yield { family: samplesFlagged, samples }
  }

  #add(
    check: Check,
    scopes: CheckScopes,
    now: Instant,
    samplesOf: (rule: PathRule) => Iterable<Sample>,
  ): void {
    for (const { rule, store } of this.#byKind.get(check.kind) ?? this.#common) {
      if (!appliesTo(rule, check)) continue
      const scope = scopeOf(rule.family, scopes)
      for (const sample of samplesOf(rule)) if (Number.isFinite(sample.value)) store.add(scope, sample, now)
    }
  }
}

function scopeOf(family: PathFamily<Observation>, scopes: CheckScopes): Scope {
  if (family.type === 'histogram' && family.level === 'zone') return scopes.histogram
  return scopes[family.level]
}
