import type { Instant } from './clock.ts'

/** One value of a family, with the labels that its level does not give by itself. */
export interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

/** Statistic of an exact window, the value of its `stat` label. */
export type Stat = 'min' | 'p50' | 'p99' | 'max'

interface FamilyBase {
  /** Without the `pathmeter_` prefix. */
  readonly name: string
  readonly help: string
  /** Labels that the samples carry beside those of the level. */
  readonly labels: readonly string[]
}

/**
 * How observations of a kind become a metric, as data. `level` gives the labels of the path: `edge` has
 * `dst dst_zone boundary via probe connection ip_family`, `zone` the same without `dst`.
 *
 * A `window` holds exact values of the last minute and publishes statistics of them; a `sum` publishes `_sum` and `_count`.
 */
export type PathFamily<T> = FamilyBase & {
  readonly level: 'edge' | 'zone'
  read(value: T): Iterable<Sample>
} & (
    | { readonly type: 'counter' | 'sum' }
    | { readonly type: 'histogram' }
    | { readonly type: 'window'; readonly stats: readonly Stat[] }
  )

/** How a part of the agent shows its own state: read at scrape. */
export interface AgentFamily extends FamilyBase {
  readonly type: 'counter' | 'gauge'
}

/** Values of one family at the time of a scrape. */
export interface Collected {
  readonly family: AgentFamily
  readonly samples: Iterable<Sample>
}

/** Whatever has state to show: supervisor, responder, discovery, judge. */
export interface Collector {
  readonly families: readonly AgentFamily[]
  collect(now: Instant): Iterable<Collected>
}
