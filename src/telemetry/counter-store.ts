import type { Sample } from '../model/family.ts'
import type { Labels, MetricSnapshot } from './metric-source.ts'
import type { Scope } from './path-scopes.ts'
import type { PathMetric, PathStore } from './path-store.ts'
import { SeriesTable } from './series-table.ts'

/** Counters by label set. A sample of 0 makes the series appear. */
export class CounterStore implements PathStore {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #series: SeriesTable<{ readonly labels: Labels; value: number }>

  constructor({ name, help, labels }: PathMetric) {
    this.name = name
    this.help = help
    this.#series = new SeriesTable(labels, (own) => ({ labels: own, value: 0 }))
  }

  add(scope: Scope, sample: Sample): void {
    if (sample.value >= 0) this.#series.obtain(scope, sample).value += sample.value
  }

  drop(scope: Scope): void {
    this.#series.drop(scope)
  }

  async get(): Promise<MetricSnapshot> {
    return { name: this.name, help: this.help, type: this.type, values: [...this.#series.values()] }
  }
}
