import type { Sample } from '../model/family.ts'
import type { Labels, MetricSnapshot } from './metric-source.ts'
import type { Scope } from './path-scopes.ts'
import type { PathMetric, PathStore } from './path-store.ts'
import { SeriesTable } from './series-table.ts'

/** Sum and count by label set: a Prometheus summary without quantiles, at 16 bytes of numbers a series. */
export class SumStore implements PathStore {
  readonly type = 'summary'
  readonly name: string
  readonly help: string
  readonly #series: SeriesTable<{ readonly labels: Labels; sum: number; count: number }>

  constructor({ name, help, labels }: PathMetric) {
    this.name = name
    this.help = help
    this.#series = new SeriesTable(labels, (own) => ({ labels: own, sum: 0, count: 0 }))
  }

  add(scope: Scope, sample: Sample): void {
    const series = this.#series.obtain(scope, sample)
    series.sum += sample.value
    series.count++
  }

  drop(scope: Scope): void {
    this.#series.drop(scope)
  }

  async get(): Promise<MetricSnapshot> {
    const values = [...this.#series.values()].flatMap(({ labels, sum, count }) => [
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ])
    return { name: this.name, help: this.help, type: this.type, values }
  }
}
