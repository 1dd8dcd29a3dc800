import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { Sample, Stat } from '../model/family.ts'
import { quantile } from '../model/quantile.ts'
import { RecentValues } from '../model/recent-values.ts'
import type { Labels, MetricSnapshot, MetricValue } from './metric-source.ts'
import type { Scope } from './path-scopes.ts'
import type { PathMetric, PathStore } from './path-store.ts'
import { SeriesTable } from './series-table.ts'

const WINDOW: Seconds = 60

const RANKS: Readonly<Record<Stat, number>> = { min: 0, p50: 0.5, p99: 0.99, max: 1 }

interface Window {
  readonly recent: RecentValues
  /** A label set per statistic. */
  readonly labels: readonly (readonly [Stat, Labels])[]
}

/** Exact statistics of the last minute, by nearest rank. A series is absent while its minute is empty. */
export class WindowStore implements PathStore {
  readonly type = 'gauge'
  readonly name: string
  readonly help: string
  readonly #clock: Clock
  readonly #series: SeriesTable<Window>

  constructor({ name, help, labels }: PathMetric, stats: readonly Stat[], clock: Clock) {
    this.name = name
    this.help = help
    this.#clock = clock
    this.#series = new SeriesTable(labels, (own) => ({
      recent: new RecentValues(WINDOW),
      labels: stats.map((stat) => [stat, { ...own, stat }] as const),
    }))
  }

  add(scope: Scope, sample: Sample, now: Instant): void {
    this.#series.obtain(scope, sample).recent.add(now, sample.value)
  }

  drop(scope: Scope): void {
    this.#series.drop(scope)
  }

  async get(): Promise<MetricSnapshot> {
    const now = this.#clock.now()
    const values = [...this.#series.values()].flatMap((window) => statistics(window, now))
    return { name: this.name, help: this.help, type: this.type, values }
  }
}

function statistics({ recent, labels }: Window, now: Instant): MetricValue[] {
  const sorted = recent.sorted(now)
  return labels.flatMap(([stat, own]) => {
    const value = quantile(sorted, RANKS[stat])
    return value === undefined ? [] : [{ labels: own, value }]
  })
}
