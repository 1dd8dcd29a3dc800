import type { Clock } from '../model/clock.ts'
import type { PathFamily } from '../model/family.ts'
import { CounterStore } from './counter-store.ts'
import { HistogramStore } from './histogram-store.ts'
import type { PathStore } from './path-store.ts'
import { SumStore } from './sum-store.ts'
import { WindowStore } from './window-store.ts'

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
