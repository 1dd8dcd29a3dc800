import type { Sample } from '../model/family.ts'
import type { MetricSnapshot, MetricSource, MetricType } from './metric-source.ts'

/** Shows what a collector said at this scrape. */
export class CollectedStore implements MetricSource {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  #samples: readonly Sample[] = []

  constructor(metric: Pick<MetricSource, 'name' | 'help' | 'type'>) {
    this.name = metric.name
    this.help = metric.help
    this.type = metric.type
  }

  set(samples: Iterable<Sample>): void {
    this.#samples = [...samples]
  }

  async get(): Promise<MetricSnapshot> {
    const values = this.#samples.map(({ value, labels = {} }) => ({ value, labels }))
    return { name: this.name, help: this.help, type: this.type, values }
  }
}
