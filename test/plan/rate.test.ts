import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attemptRate, rateProblems, stretchToCap } from '../../src/plan/rate.ts'
import { checksToPeers, sections } from './sample.ts'

test('rate adds up the attempts per second of all checks', () => {
  expect(attemptRate([])).toBe(0)
  // tcp 1, http reused 1/4, http new 1/15.
  expect(attemptRate(checksToPeers(10))).toBeCloseTo(10 * (1 + 1 / 4 + 1 / 15), 9)
})

test('what is held open does not count, and is not stretched', () => {
  const held = checksToPeers(400).map((check) => ({ ...check, connection: 'held' }) as const)
  expect(attemptRate(held)).toBe(0)
  expect(rateProblems(held)).toEqual([])
  const { checks } = stretchToCap([...held, ...checksToPeers(400)])
  expect(checks.slice(0, held.length)).toEqual(held)
})

test('checks within the cap stay as they are', () => {
  const checks = checksToPeers(75)
  expect(stretchToCap(checks)).toEqual({ checks, factor: 1 })
  expect(stretchToCap(checks).checks).toBe(checks)
})

test('checks above the cap are stretched evenly until they are within it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 1, max: 50, noNaN: true }),
      (peers, cap) => {
        const before = checksToPeers(peers)
        const { checks, factor } = stretchToCap(before, cap)
        expect(factor).toBeCloseTo(Math.max(1, attemptRate(before) / cap), 8)
        expect(attemptRate(checks)).toBeLessThanOrEqual(cap * (1 + 1e-9))
        for (const [i, check] of checks.entries()) {
          expect(check.every).toBe(factor === 1 ? before[i]?.every : (before[i]?.every ?? 0) * factor)
          expect(check.limit).toBe(before[i]?.limit)
          expect(check.id).toBe(before[i]?.id)
          const overlap = check.connection === 'new' ? Math.floor(check.limit / check.every) + 1 : 1
          expect(check.overlap).toBe(overlap)
        }
        // What was stretched once is not stretched again.
        expect(stretchToCap(checks, cap).factor).toBe(1)
      },
    ),
  )
})

test('a configuration within floor and cap has no problem', () => {
  expect(rateProblems(checksToPeers(75))).toEqual([])
  const fastest = { ...sections, tcp: { every: 0.1, limit: 8 } }
  expect(rateProblems(checksToPeers(9, fastest))).toEqual([])
})

test('a configuration above the cap is a problem that says how much each way of measuring takes', () => {
  expect(rateProblems(checksToPeers(90))).toEqual([
    {
      path: 'probes',
      message:
        'must start at most 100 attempts per second in all, got 118.5 (http new 6, http reused 22.5, tcp new 90)',
    },
  ])
})

test('an interval below the floor is a problem, once for all peers', () => {
  const hasty = { ...sections, http: { ...sections.http, reused: { every: 0.05 } } }
  expect(rateProblems(checksToPeers(2, hasty))).toEqual([
    { path: 'probes.http', message: 'the interval of http reused must be at least 100ms, got "50.0ms"' },
  ])
})
