import { describe, expect, test } from 'vitest'
import { type Attempt, durationOf, flaggedBy, type Noise, type Phases } from '../../src/model/observation.ts'

function attempt(phases: Phases, noise: Noise = {}): Attempt<'tcp'> {
  return { is: 'attempt', at: 0, noise, phases, facts: {} }
}

describe('durationOf', () => {
  test('adds up the phases that were measured', () => {
    expect(durationOf(attempt({ connect: 0.001, first_byte: 0.002, other: 0.0005 }))).toBeCloseTo(0.0035, 12)
    expect(durationOf(attempt({}))).toBe(0)
  })
})

describe('flaggedBy', () => {
  const slow = { connect: 0.004, first_byte: 0.004 }

  test.each([
    ['no noise', slow, {}, undefined],
    ['noise of exactly a quarter', slow, { own: 0.002 }, undefined],
    ['own noise above a quarter', slow, { own: 0.0021 }, 'own'],
    ['far noise above a quarter', slow, { far: 0.0021 }, 'far'],
    ['both: our own is what we can do something about', slow, { own: 0.0021, far: 1 }, 'own'],
    ['noise of 0.2 ms in a short attempt', { connect: 0.0001 }, { own: 0.0002, far: 0.0002 }, undefined],
    ['noise above 0.2 ms in a short attempt', { connect: 0.0001 }, { far: 0.00021 }, 'far'],
  ] as const)('says of %s', (_what, phases, noise, expected) => {
    expect(flaggedBy(attempt(phases, noise))).toBe(expected)
  })
})
