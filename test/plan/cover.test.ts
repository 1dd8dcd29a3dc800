import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverZone } from '../../src/plan/cover.ts'
import { pairHash } from '../../src/plan/hash.ts'
import { ringOf } from '../../src/plan/ring.ts'

const zones = fc
  .record({
    from: fc.integer({ min: 1, max: 40 }),
    to: fc.integer({ min: 1, max: 40 }),
    perZone: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ from, to, perZone }) => ({ from: ringFor('s', from), to: ringFor('d', to), perZone }))

test('with room for all, a node belongs to whoever stands before it on the circle', () => {
  fc.assert(
    fc.property(zones, ({ from, to }) => {
      const owners = coverZone(from, to, to.names.length)
      const places = [...from.hashes]
      for (const [i, hash] of to.hashes.entries()) {
        const thrown = pairHash(0, hash)
        const before = places.findLastIndex((place) => place <= thrown)
        expect(owners[i]).toBe(before === -1 ? places.length - 1 : before)
      }
    }),
  )
})

test('no owner has more than it must: k where that reaches, otherwise one more each in turn, up to 2k', () => {
  fc.assert(
    fc.property(zones, ({ from, to, perZone }) => {
      const counts = new Array<number>(from.names.length).fill(0)
      const owned = [...coverZone(from, to, perZone)].filter((owner) => owner !== -1)
      for (const owner of owned) counts[owner] = (counts[owner] ?? 0) + 1
      expect(owned.length).toBe(Math.min(to.names.length, 2 * perZone * from.names.length))
      const most = Math.max(perZone, Math.ceil(owned.length / from.names.length))
      expect(Math.max(...counts)).toBeLessThanOrEqual(most)
      if (most > perZone) expect(Math.min(...counts)).toBeGreaterThanOrEqual(most - 1)
    }),
  )
})

test('a zone without nodes owns nobody', () => {
  expect([...coverZone(ringOf([]), ringFor('d', 3), 3)]).toEqual([-1, -1, -1])
  expect([...coverZone(ringFor('s', 3), ringOf([]), 3)]).toEqual([])
})

function ringFor(prefix: string, size: number) {
  return ringOf(Array.from({ length: size }, (_, i) => `${prefix}${i}`))
}
