/**
 * Nearest-rank quantile: always a value that was measured, never one between two of them.
 *
 * @param sorted ascending
 * @param q 0 to 1
 * @returns undefined when there are no values
 */
export function quantile(sorted: ArrayLike<number>, q: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]
}
