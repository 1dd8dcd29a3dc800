import { createHash } from 'node:crypto'

/** Identity in places too short for a name: the first 8 bytes of the node name's SHA-256, in hexadecimal. */
export function nodeHash(node: string): string {
  return createHash('sha256').update(node).digest('hex').slice(0, 16)
}
