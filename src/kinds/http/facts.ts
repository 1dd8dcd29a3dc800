import type { PathFamily } from '../../model/family.ts'
import type { Observation } from '../../model/observation.ts'

/** What http attempts show besides success and duration: how often a kept connection was not there. */
export const httpFamilies: readonly PathFamily<Observation<'http'>>[] = [
  {
    name: 'http_reconnects_total',
    help: 'Attempts that were due on a kept connection and had to make a new one.',
    type: 'counter',
    level: 'zone',
    labels: [],
    *read({ facts }) {
      if (facts.reconnected) yield { value: 1 }
    },
  },
]
