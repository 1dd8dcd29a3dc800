import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash32 } from '../../src/plan/hash.ts'
import { ringOf, successors } from '../../src/plan/ring.ts'

const names = fc.uniqueArray(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 40 })

test('ring holds every name once, by hash, whatever the order of the input', () => {
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.nat()), (some, draws) => {
      const ring = ringOf(some)
      expect([...ring.names].sort()).toEqual([...some].sort())
      expect([...ring.hashes]).toEqual(ring.names.map(hash32))
      expect([...ring.hashes]).toEqual([...ring.hashes].sort((a, b) => a - b))
      const shuffled = some.map((name) => ({ name, at: draws.next().value ?? 0 })).sort((a, b) => a.at - b.at)
      expect(ringOf(shuffled.map(({ name }) => name))).toEqual(ring)
    }),
  )
})

test('nodes of equal hash stand in order of their names', () => {
  const [first, second] = collision()
  expect(hash32(first)).toBe(hash32(second))
  const expected = [first, second].sort()
  for (const order of [
    [first, 'n1', second, 'n2'],
    ['n2', second, 'n1', first],
  ]) {
    expect(ringOf(order).names.filter((name) => expected.includes(name))).toEqual(expected)
    expect([...ringOf(order).hashes]).toEqual(ringOf(order).names.map(hash32))
  }
})

test('successors are the next nodes around the circle, never the node itself', () => {
  fc.assert(
    fc.property(names, fc.nat(10), (some, count) => {
      const ring = ringOf(some)
      for (const [i, name] of ring.names.entries()) {
        const expected = Array.from(
          { length: Math.min(count, some.length - 1) },
          (_, step) => ring.names[(i + step + 1) % some.length],
        )
        expect(successors(ring, name, count)).toEqual(expected)
      }
    }),
  )
})

/** Two names of equal hash: among 2^18 there are about eight such pairs. */
function collision(): readonly [string, string] {
  const seen = new Map<number, string>()
  for (let i = 0; i < 2 ** 20; i++) {
    const name = `n${i}`
    const other = seen.get(hash32(name))
    if (other !== undefined) return [other, name]
    seen.set(hash32(name), name)
  }
  throw new Error('Cannot find two names of equal hash among 2^20')
}
