import type { Check, CheckId, Sink } from '../model/check.ts'
import type { Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { AgentFamily, Collected, Collector } from '../model/family.ts'
import { durationOf, flaggedBy, type Observation } from '../model/observation.ts'
import type { IpFamily, Via } from '../model/path.ts'
import { quantile } from '../model/quantile.ts'
import { RecentValues } from '../model/recent-values.ts'
import type { ColdTaxView } from '../model/view.ts'

const WINDOW: Seconds = 300
/** Fewer on either side make no median worth showing. */
const MIN_SAMPLES = 5

const coldTaxFamily: AgentFamily = {
  name: 'cold_tax_seconds',
  help: 'What a new connection costs above a kept one: difference of the medians over 5 minutes, without the time spent at the other end.',
  type: 'gauge',
  labels: ['dst_zone', 'boundary', 'via', 'probe', 'ip_family'],
}

/** One kind of probe towards one zone. */
interface Pair {
  readonly view: Pick<ColdTaxView, 'zone' | 'boundary' | 'probe'>
  readonly via: Via
  readonly ipFamily: IpFamily
  readonly checks: Set<CheckId>
  readonly cold: RecentValues
  readonly warm: RecentValues
}

interface Tax {
  readonly pair: Pair
  readonly seconds: Seconds
  readonly samples: number
}

/**
 * Compares new with kept connections towards the same zone. Successes alone count, and of them those that no
 * starved end has spoilt; loopback and rotating peers are left out. A pair shows once both sides have 5 samples.
 */
export class ColdTax implements Sink, Collector {
  readonly families = [coldTaxFamily]
  readonly #pairs = new Map<string, Pair>()
  readonly #pairOf = new Map<CheckId, Pair>()

  begin(check: Check): void {
    const { rotating, boundary } = check.target
    if (rotating || boundary === 'loopback' || check.connection === 'held') return
    const pair = this.#pairs.getOrInsertComputed(keyOf(check), () => createPair(check))
    if (this.#pairOf.get(check.id) !== pair) this.forget(check)
    pair.checks.add(check.id)
    this.#pairOf.set(check.id, pair)
  }

  record(check: Check, attempt: Observation): void {
    const pair = this.#pairOf.get(check.id)
    const residence = attempt.facts.farEnd?.residence
    if (pair === undefined || residence === undefined || attempt.extra === true) return
    if (attempt.failure !== undefined || flaggedBy(attempt) !== undefined) return
    const side = sideOf(check, attempt)
    const duration = durationOf(attempt)
    if (side !== undefined) pair[side].add(attempt.at + duration, duration - residence)
  }

  skipped(): void {
    // A slot in which nothing was started says nothing of what a start costs.
  }

  forget({ id }: Check): void {
    const pair = this.#pairOf.get(id)
    if (pair === undefined) return
    this.#pairOf.delete(id)
    pair.checks.delete(id)
    if (pair.checks.size > 0) return
    for (const [key, other] of this.#pairs) if (other === pair) this.#pairs.delete(key)
  }

  coldTaxes(now: Instant): ColdTaxView[] {
    return this.#taxes(now).map(({ pair, seconds, samples }) => ({ ...pair.view, seconds, samples }))
  }

  *collect(now: Instant): Iterable<Collected> {
    const samples = this.#taxes(now).map(({ pair, seconds }) => ({ value: seconds, labels: labelsOf(pair) }))
    yield { family: coldTaxFamily, samples }
  }

  #taxes(now: Instant): Tax[] {
    return [...this.#pairs.values()].flatMap((pair) => {
      const cold = pair.cold.sorted(now)
      const warm = pair.warm.sorted(now)
      const samples = Math.min(cold.length, warm.length)
      if (samples < MIN_SAMPLES) return []
      return [{ pair, seconds: (quantile(cold, 0.5) ?? 0) - (quantile(warm, 0.5) ?? 0), samples }]
    })
  }
}

/** Warm is only what ran on a kept connection by the responder's own count. */
function sideOf({ connection }: Check, { facts }: Observation): 'cold' | 'warm' | undefined {
  if (connection === 'new') return 'cold'
  return 'reused' in facts && facts.reused && !facts.reconnected ? 'warm' : undefined
}

function keyOf({ target, kind }: Check): string {
  return JSON.stringify([target.zone, target.boundary, target.via, kind, target.family])
}

function createPair({ target, kind }: Check): Pair {
  return {
    view: { zone: target.zone, boundary: target.boundary, probe: kind },
    via: target.via,
    ipFamily: target.family,
    checks: new Set(),
    cold: new RecentValues(WINDOW),
    warm: new RecentValues(WINDOW),
  }
}

function labelsOf({ view, via, ipFamily }: Pair): Record<string, string> {
  return {
    dst_zone: view.zone,
    boundary: view.boundary,
    via,
    probe: view.probe,
    ip_family: String(ipFamily),
  }
}
