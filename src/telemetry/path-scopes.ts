import type { Check, CheckId } from '../model/check.ts'
import type { Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { Labels } from './metric-source.ts'

export const ZONE_LABELS = ['dst_zone', 'boundary', 'via', 'probe', 'connection', 'ip_family'] as const
export const EDGE_LABELS = ['dst', ...ZONE_LABELS] as const

/**
 * How long series outlive the last check that had their labels: with a scrape every 15 s they are gone from
 * Prometheus within two minutes, and a pod that is replaced in the meantime keeps its counters.
 */
export const DEPARTED_GRACE: Seconds = 105

/** A set of path labels, shared by all checks that have them. Series belong to a scope and go with it. */
export interface Scope {
  readonly labels: Labels
}

/** Where the series of one check are. */
export interface CheckScopes {
  readonly edge: Scope
  readonly zone: Scope
  /** Of histograms: by zone towards peers, whose number grows with the cluster; by name towards what is configured. */
  readonly histogram: Scope
}

interface Entry {
  readonly scope: Scope
  readonly holders: Set<CheckId>
  emptySince?: Instant | undefined
}

/** Which label sets exist, by the checks that hold them. */
export class PathScopes {
  readonly #entries = new Map<string, Entry>()
  readonly #checks = new Map<CheckId, CheckScopes>()

  /** Takes hold of the check's label sets. Repeating it changes nothing, unless the target's place has changed. */
  begin(check: Check, now: Instant): CheckScopes {
    const before = this.#checks.get(check.id)
    if (before !== undefined) this.#release(check.id, now)
    const zone = this.#hold(zoneLabels(check), check.id, check.target.rotating)
    const edge = this.#hold({ dst: check.target.identity, ...zone.labels }, check.id, check.target.rotating)
    const scopes = { edge, zone, histogram: isPeer(check) ? zone : edge }
    this.#checks.set(check.id, scopes)
    return scopes
  }

  /** Undefined before `begin` and after `forget`. */
  of(id: CheckId): CheckScopes | undefined {
    return this.#checks.get(id)
  }

  forget(id: CheckId, now: Instant): void {
    if (this.#checks.delete(id)) this.#release(id, now)
  }

  /** Removes the label sets that no check has held for the time of grace, and returns them. */
  sweep(now: Instant): readonly Scope[] {
    const removed: Scope[] = []
    for (const [key, { scope, emptySince }] of this.#entries) {
      if (emptySince === undefined || now - emptySince < DEPARTED_GRACE) continue
      this.#entries.delete(key)
      removed.push(scope)
    }
    return removed
  }

  #hold(labels: Labels, id: CheckId, rotating: boolean): Scope {
    const key = JSON.stringify([rotating, labels])
    const entry = this.#entries.getOrInsertComputed(key, () => ({ scope: { labels }, holders: new Set() }))
    entry.holders.add(id)
    entry.emptySince = undefined
    return entry.scope
  }

  #release(id: CheckId, now: Instant): void {
    for (const entry of this.#entries.values()) {
      if (entry.holders.delete(id) && entry.holders.size === 0) entry.emptySince = now
    }
  }
}

function zoneLabels({ target, kind, connection }: Check): Labels {
  return {
    dst_zone: target.zone,
    boundary: target.boundary,
    via: target.via,
    probe: kind,
    connection,
    ip_family: String(target.family),
  }
}

function isPeer({ target }: Check): boolean {
  return target.via === 'pod' || target.via === 'host'
}
