import { overlapOf, type Variant } from '../kinds/define-options.ts'
import { kindOptions, type ProbeSections, variantsOf } from '../kinds/options.ts'
import type { Check } from '../model/check.ts'
import type { Seconds } from '../model/duration.ts'
import type { KindName } from '../model/facts.ts'

/** `low` halves every rate. */
export type Rate = 'normal' | 'low'

/** One way in which one kind measures. */
export interface KindVariant {
  readonly kind: KindName
  readonly variant: Variant
}

/** Every way of every kind by its section of the configuration, at the intervals of the rate. */
export function plannedVariants(sections: ProbeSections, rate: Rate): readonly KindVariant[] {
  const slowdown = rate === 'low' ? 2 : 1
  const kinds = Object.keys(kindOptions) as KindName[]
  return kinds.flatMap((kind) =>
    variantsOf(kind, sections).map((variant) => ({
      kind,
      variant: withEvery(variant, variant.every * slowdown),
    })),
  )
}

type Timed = Pick<Check, 'connection' | 'every' | 'limit' | 'overlap'>

/** The same at another interval. Attempts on new connections overlap as far as their limit reaches over it. */
export function withEvery<T extends Timed>(timed: T, every: Seconds): T {
  if (every === timed.every) return timed
  const overlap = timed.connection === 'new' ? overlapOf(timed.limit, every) : timed.overlap
  return { ...timed, every, overlap }
}

/** Attempts per second. What is held open makes none: its datagrams, events and idle time do not count. */
export function rateOf({ connection, every }: Pick<Timed, 'connection' | 'every'>): number {
  return connection === 'held' ? 0 : 1 / every
}
