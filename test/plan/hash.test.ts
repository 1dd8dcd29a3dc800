import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash32, mix32, pairHash } from '../../src/plan/hash.ts'

test('hash32 gives the values that agents of every version agree on', () => {
  expect(hash32('')).toBe(mix32(0x811c9dc5))
  expect(['n1', 'n2', 'ip-10-0-3-7.eu-west-1.compute.internal', 'ä'].map(hash32)).toEqual([
    2855225089, 830388215, 204167163, 2618739704,
  ])
})

test('mix32 sends different words to different words', () => {
  const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      fc.pre(a !== b)
      expect(mix32(a)).not.toBe(mix32(b))
    }),
  )
})

test('hash32 spreads names that differ in their last digits over the whole ring', () => {
  const counts = new Array<number>(16).fill(0)
  for (let i = 0; i < 16_000; i++) {
    const bucket = Math.floor(hash32(`ip-10-0-${i >> 8}-${i & 255}`) / 2 ** 28)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  // 1,000 are expected in each; five standard deviations are 153.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(153)
})

test('pairHash depends on both parts and on their order', () => {
  const hashes = new Set<number>()
  for (let a = 0; a < 100; a++) for (let b = 0; b < 100; b++) hashes.add(pairHash(a, b))
  // 10,000 draws out of 2^32 collide 0.01 times.
  expect(hashes.size).toBe(10_000)
})
