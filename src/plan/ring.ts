import { hash32 } from './hash.ts'

/** Nodes in ring order: by hash, and by name where two hashes are equal. The last is followed by the first. */
export interface Ring {
  readonly names: readonly string[]
  /** `hash32` of each name. */
  readonly hashes: Uint32Array
}

/** Places nodes on a ring. The order of the input does not matter; names must be distinct. */
export function ringOf(names: readonly string[]): Ring {
  const keys = new Float64Array(names.length)
  for (let i = 0; i < names.length; i++) keys[i] = sortKey(hash32(names[i] ?? ''), i)
  keys.sort()
  const sorted: string[] = []
  const hashes = new Uint32Array(names.length)
  for (const key of keys) {
    const name = names[indexIn(key)] ?? ''
    const hash = hashIn(key)
    let at = sorted.length
    // Nodes of equal hash came in the order of the input: move back past those of greater name.
    for (; at > 0 && hashes[at - 1] === hash && (sorted[at - 1] ?? '') > name; at--) {
      sorted[at] = sorted[at - 1] ?? ''
    }
    sorted[at] = name
    hashes[sorted.length - 1] = hash
  }
  return { names: sorted, hashes }
}

/** The next `count` nodes after `node` on its ring, fewer where there are no more; never itself. */
export function successors({ names }: Ring, node: string, count: number): readonly string[] {
  const at = names.indexOf(node)
  return [...names.slice(at + 1), ...names.slice(0, Math.max(at, 0))].slice(0, count)
}

/** Factor that puts an index below a 32-bit hash in one exact double, which typed arrays sort natively. */
const INDEXES = 2 ** 20

/** One number that sorts by hash, then by index. The index must be below 2^20. */
export function sortKey(hash: number, index: number): number {
  return hash * INDEXES + index
}

export function indexIn(key: number): number {
  return key - hashIn(key) * INDEXES
}

export function hashIn(key: number): number {
  return Math.floor(key / INDEXES)
}
