/**
 * The `count` items of greatest weight, fewer where there are no more; of equal weights the earlier item wins.
 *
 * @returns in descending order of weight
 */
export function heaviest<T>(items: readonly T[], count: number, weightOf: (item: T) => number): readonly T[] {
  const best: { readonly item: T; readonly weight: number }[] = []
  for (const item of items) {
    const weight = weightOf(item)
    if (best.length === count && weight <= (best.at(-1)?.weight ?? Number.POSITIVE_INFINITY)) continue
    let at = best.length
    while (at > 0 && (best[at - 1]?.weight ?? 0) < weight) at--
    best.splice(at, 0, { item, weight })
    if (best.length > count) best.pop()
  }
  return best.map(({ item }) => item)
}
