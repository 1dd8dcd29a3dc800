import { describe, expect, it } from 'vitest'
import { ageOfLast, isStale } from '../../src/web/staleness.ts'
import { fakeCheck, fakeOutcome, fakePath, NOW } from './fake-input.ts'

const check = fakeCheck({ every: 4, limit: 8 })

describe('staleness', () => {
  it('begins after three missed turns and the limit of one attempt', () => {
    expect(isStale(fakePath({ check, last: fakeOutcome({ at: NOW - 20 }) }), NOW)).toBe(false)
    expect(isStale(fakePath({ check, last: fakeOutcome({ at: NOW - 20.1 }) }), NOW)).toBe(true)
  })

  it('does not apply to a path that was never measured', () => {
    const { last: _, ...unmeasured } = fakePath({ check, state: 'unmeasured', since: NOW - 1000 })
    expect(isStale(unmeasured, NOW)).toBe(false)
    expect(ageOfLast(unmeasured, NOW)).toBeUndefined()
  })

  it('takes an outcome ahead of the wall clock, after it was set back, for new', () => {
    expect(ageOfLast(fakePath({ last: fakeOutcome({ at: NOW + 30 }) }), NOW)).toBe(0)
  })
})
