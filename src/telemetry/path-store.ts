import type { Clock, Instant } from '../model/clock.ts'
import type { PathFamily, Sample } from '../model/family.ts'
import { CounterStore } from './counter-store.ts'
import { HistogramStore } from './histogram-store.ts'
import type { MetricSource } from './metric-source.ts'
import type { Scope } from './path-scopes.ts'
import { SumStore } from './sum-store.ts'
import { WindowStore } from './window-store.ts'

/** The numbers of one family of path metrics. */
export interface PathStore extends MetricSource {
  add(scope: Scope, sample: Sample, now: Instant): void
  /** Forgets the series of a label set. */
  drop(scope: Scope): void
}

export type PathMetric = Pick<PathFamily<never>, 'help' | 'labels'> & { readonly name: string }

export function createPathStore(family: PathFamily<never>, name: string, clock: Clock): PathStore {
  const metric = { name, help: family.help, labels: family.labels }
  switch (family.type) {
    case 'counter':
      return new CounterStore(metric)
    case 'sum':
      return new SumStore(metric)
    case 'histogram':
      return new HistogramStore(metric)
    case 'window':
      return new WindowStore(metric, family.stats, clock)
  }
}
