import { pairHash } from './hash.ts'
import { heaviest } from './heaviest.ts'
import type { Ring } from './ring.ts'

/**
 * Whom one node probes in another zone: those that `owners` gives to it (see `coverZone`), and, where these are
 * fewer than `perZone`, as many of the others as are missing, by the weight of the pair. Weights spread the incoming
 * probes evenly and move only the edges of the node that comes or goes.
 *
 * @param self index of the node in `from`
 * @returns names
 */
export function chooseAcross(
  from: Ring,
  to: Ring,
  owners: Int32Array,
  self: number,
  perZone: number,
): readonly string[] {
  const owned: number[] = []
  const others: number[] = []
  for (let i = 0; i < owners.length; i++) (owners[i] === self ? owned : others).push(i)
  const own = from.hashes[self] ?? 0
  const more = heaviest(others, Math.max(0, perZone - owned.length), (i) => pairHash(own, to.hashes[i] ?? 0))
  return [...owned, ...more].map((i) => to.names[i] ?? '')
}
