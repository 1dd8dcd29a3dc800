import type { Sample } from '../model/family.ts'
import type { Labels } from './metric-source.ts'
import type { Scope } from './path-scopes.ts'

/** The series of one metric: per label set of the path, one for each value of the metric's own labels. */
export class SeriesTable<S> {
  readonly #labelNames: readonly string[]
  readonly #create: (labels: Labels) => S
  readonly #series = new Map<Scope, Map<string, S>>()

  constructor(labelNames: readonly string[], create: (labels: Labels) => S) {
    this.#labelNames = labelNames
    this.#create = create
  }

  /** The series that the sample belongs to, made at the first. */
  obtain(scope: Scope, sample: Sample): S {
    const ofScope = this.#series.getOrInsertComputed(scope, () => new Map())
    const own = this.#labelNames.map((name) => sample.labels?.[name] ?? '')
    const key = own.length < 2 ? (own[0] ?? '') : JSON.stringify(own)
    return ofScope.getOrInsertComputed(key, () => this.#create(this.#labels(scope, own)))
  }

  /** Forgets the series of a label set, and returns them. */
  drop(scope: Scope): readonly S[] {
    const dropped = [...(this.#series.get(scope)?.values() ?? [])]
    this.#series.delete(scope)
    return dropped
  }

  *values(): Iterable<S> {
    for (const ofScope of this.#series.values()) yield* ofScope.values()
  }

  #labels(scope: Scope, own: readonly string[]): Labels {
    const labels: Record<string, string> = { ...scope.labels }
    for (const [i, name] of this.#labelNames.entries()) labels[name] = own[i] ?? ''
    return labels
  }
}
