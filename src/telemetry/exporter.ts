import { setImmediate as nextTurn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { Clock } from '../model/clock.ts'
import type { Collector } from '../model/family.ts'
import { CollectedStore } from './collected-store.ts'
import { CONTENT_TYPES, ENDINGS, type Format, renderHead, renderValue } from './exposition.ts'
import { metricName } from './metric-name.ts'
import type { MetricSource } from './metric-source.ts'

export interface Exposition {
  readonly contentType: string
  readonly body: string
}

/** Lines between two yields: 0.3 ms. */
const LINES_PER_TURN = 100

/** The registry, and its text. */
export class Exporter {
  readonly #clock: Clock
  readonly #registry = new Registry()
  readonly #collectors: (readonly [Collector, ReadonlyMap<string, CollectedStore>])[] = []
  readonly #underWay = new Map<Format, Promise<Exposition>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws Error when another metric has the name */
  register(metric: MetricSource): void {
    this.#registry.registerMetric(metric)
  }

  /** @throws Error when a family's name is taken or breaks the conventions */
  addCollector(collector: Collector): void {
    const stores = new Map<string, CollectedStore>()
    for (const family of collector.families) {
      const store = new CollectedStore({ name: metricName(family), help: family.help, type: family.type })
      this.register(store)
      stores.set(family.name, store)
    }
    this.#collectors.push([collector, stores])
  }

  /** Everything there is, sorted by name. Scrapes that overlap share one rendering. */
  render(format: Format): Promise<Exposition> {
    const underWay = this.#underWay.get(format)
    if (underWay !== undefined) return underWay
    const rendering = this.#render(format).finally(() => this.#underWay.delete(format))
    this.#underWay.set(format, rendering)
    return rendering
  }

  async #render(format: Format): Promise<Exposition> {
    for (const [collector, stores] of this.#collectors) {
      for (const store of stores.values()) store.set([])
      for (const { family, samples } of collector.collect(this.#clock.now()))
        stores.get(family.name)?.set(samples)
      await nextTurn()
    }
    const parts: string[] = []
    for (const name of this.#names()) {
      for await (const part of this.#renderMetric(name, format)) parts.push(part)
    }
    parts.push(ENDINGS[format])
    return { contentType: CONTENT_TYPES[format], body: parts.join('') }
  }

  #names(): string[] {
    return this.#registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .sort()
  }

  /** A metric without series is left out. Yields to the event loop so that no probe waits for a scrape. */
  async *#renderMetric(name: string, format: Format): AsyncIterable<string> {
    const snapshot = await this.#registry.getSingleMetric(name)?.get()
    if (snapshot === undefined || snapshot.values.length === 0) return
    let text = renderHead(snapshot, format)
    for (const [i, value] of snapshot.values.entries()) {
      text += renderValue(name, value)
      if ((i + 1) % LINES_PER_TURN !== 0) continue
      yield text
      text = ''
      await nextTurn()
    }
    yield text
    await nextTurn()
  }
}
