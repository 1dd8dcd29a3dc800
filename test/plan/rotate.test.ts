import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash32 } from '../../src/plan/hash.ts'
import { type Candidate, ROTATION, rotatingPeers, rotationEnd, rotationEpoch } from '../../src/plan/rotate.ts'

function candidates(count: number): readonly Candidate[] {
  return Array.from({ length: count }, (_, i) => ({ node: `n${i}`, hash: hash32(`n${i}`) }))
}

test('rotation changes every ten minutes of wall time', () => {
  expect(rotationEpoch(12 * 3600 + 40 * 60 - 0.001)).toBe(75)
  expect(rotationEpoch(12 * 3600 + 40 * 60)).toBe(76)
  expect(rotationEnd(75)).toBe('12:40 UTC')
  expect(ROTATION).toBe(600)
})

test('no two rotations in a row draw the same peers where there is a choice', () => {
  const count = fc.integer({ min: 1, max: 3 })
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 40 }),
      count,
      fc.nat(3_000_000),
      (self, size, many, epoch) => {
        const draw = (rotation: number) => new Set(rotatingPeers(self, candidates(size), many, rotation))
        expect(draw(epoch).size).toBe(Math.min(many, size))
        if (size > many) expect(draw(epoch)).not.toEqual(draw(epoch + 1))
      },
    ),
  )
})

test('every candidate gets its turn', () => {
  for (const size of [2, 3, 4, 10, 30]) {
    const drawn = new Set<string>()
    for (let epoch = 0; epoch < size * 20; epoch++) {
      for (const node of rotatingPeers('self', candidates(size), 1, epoch)) drawn.add(node)
    }
    expect(drawn.size).toBe(size)
  }
})

test('different nodes rotate differently', () => {
  const draws = Array.from({ length: 300 }, (_, i) => rotatingPeers(`source-${i}`, candidates(300), 1, 7)[0])
  // 300 draws of 300 leave 190 different ones on average.
  expect(new Set(draws).size).toBeGreaterThan(160)
})

test('a candidate that goes changes the draw of those few only that had drawn it or a neighbour of it', () => {
  let changed = 0
  for (let i = 0; i < 500; i++) {
    const [before] = rotatingPeers(`source-${i}`, candidates(300), 1, 7)
    const [after] = rotatingPeers(`source-${i}`, candidates(299), 1, 7)
    if (before !== after) changed++
  }
  expect(changed).toBeLessThan(15)
})
