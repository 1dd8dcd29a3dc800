import { Histogram } from 'prom-client'
import type { Seconds } from '../model/duration.ts'
import type { Sample } from '../model/family.ts'
import type { Labels, MetricSnapshot } from './metric-source.ts'
import { EDGE_LABELS, type Scope } from './path-scopes.ts'
import type { PathMetric, PathStore } from './path-store.ts'
import { SeriesTable } from './series-table.ts'

/**
 * Upper bounds. The steps of SYN retransmission (1, 2, 3 and 7 s, measured 15 to 140 ms late) lie inside a bucket,
 * never on an edge.
 */
export const BUCKETS: readonly Seconds[] = [
  0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.9, 1.5, 2.5, 3.5, 7.5,
]

/** A histogram by label set, on the library's. */
export class HistogramStore implements PathStore {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #histogram: Histogram
  readonly #series: SeriesTable<{ readonly labels: Labels; readonly histogram: Histogram.Internal<string> }>

  constructor({ name, help, labels }: PathMetric) {
    this.name = name
    this.help = help
    const histogram = new Histogram({
      name,
      help,
      labelNames: [...EDGE_LABELS, ...labels],
      buckets: [...BUCKETS],
      registers: [],
    })
    this.#histogram = histogram
    this.#series = new SeriesTable(labels, (own) => ({ labels: own, histogram: histogram.labels(own) }))
  }

  add(scope: Scope, sample: Sample): void {
    this.#series.obtain(scope, sample).histogram.observe(sample.value)
  }

  drop(scope: Scope): void {
    for (const { labels } of this.#series.drop(scope)) this.#histogram.remove(labels)
  }

  async get(): Promise<MetricSnapshot> {
    const { values } = await this.#histogram.get()
    return { name: this.name, help: this.help, type: this.type, values }
  }
}
