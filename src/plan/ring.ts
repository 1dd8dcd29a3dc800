import { hash32 } from './hash.ts'

/** A node at its place on the ring. */
export interface RingNode {
  readonly node: string
  /** `hash32` of its name. */
  readonly hash: number
}

/** Nodes in ring order: by hash, and by name where two hashes are equal. The last is followed by the first. */
export type Ring = readonly RingNode[]

/** Places nodes on a ring. The order of the input does not matter; names must be distinct. */
export function ringOf(names: readonly string[]): Ring {
  return names.map((node) => ({ node, hash: hash32(node) })).sort(compareOnRing)
}

export function compareOnRing(a: RingNode, b: RingNode): number {
  if (a.hash !== b.hash) return a.hash - b.hash
  return a.node < b.node ? -1 : a.node > b.node ? 1 : 0
}
