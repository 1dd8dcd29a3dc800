import type { Instant } from '../model/clock.ts'
import type { PathFamily, Sample } from '../model/family.ts'
import type { MetricSource } from './metric-source.ts'
import type { Scope } from './path-scopes.ts'

/** The numbers of one family of path metrics. */
export interface PathStore extends MetricSource {
  add(scope: Scope, sample: Sample, now: Instant): void
  /** Forgets the series of a label set. */
  drop(scope: Scope): void
}

export type PathMetric = Pick<PathFamily<never>, 'help' | 'labels'> & { readonly name: string }
