import { createHash } from 'node:crypto'

/** Names whose hashes are kept: more than any node probes. */
const MOST_KEPT = 4096

const kept = new Map<string, string>()

/** Identity in places too short for a name: the first 8 bytes of the node name's SHA-256, in hexadecimal. */
export function nodeHash(node: string): string {
  const known = kept.get(node)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(node).digest('hex').slice(0, 16)
  // Names come from peers too, and those may invent them.
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(node, hash)
  return hash
}
