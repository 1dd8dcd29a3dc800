/** FNV-1a, 32 bit: offset basis and prime (RFC 9923, section 5). */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** 2^32 divided by the golden ratio: its multiples differ in every part of the word. */
const GOLDEN = 0x9e3779b9

/**
 * Spreads a number over all 32 bits: every input bit changes each output bit with a chance near one half.
 * A bijection, so different inputs stay different. It is the last step of MurmurHash3 (`fmix32`).
 *
 * @returns an integer from 0 to 2^32 - 1
 */
export function mix32(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * Hash of a text for places on a ring and for phases: FNV-1a over its UTF-16 code units, then `mix32`, because FNV
 * alone leaves names that differ in their last digit close together. Not for identity: 32 bits collide.
 *
 * Every agent must compute the same, whatever its version: a change moves every edge of the fleet.
 *
 * @returns an integer from 0 to 2^32 - 1
 */
export function hash32(text: string): number {
  let h = FNV_OFFSET
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME)
  return mix32(h)
}

/** Hash of an ordered pair of hashes: `pairHash(a, b)` and `pairHash(b, a)` have nothing to do with each other. */
export function pairHash(first: number, second: number): number {
  return mix32(Math.imul(first, GOLDEN) ^ mix32(second))
}
