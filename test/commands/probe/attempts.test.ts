import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exitCodeOf, summarize } from '../../../src/commands/probe/attempts.ts'
import { facts, failed, kernel, onKept, succeeded } from './sample.ts'

describe('probe summary', () => {
  test('counts, and takes quantiles of successes', () => {
    const attempts = [succeeded(0.001), failed(8), succeeded(0.003), succeeded(0.002)]
    expect(summarize(attempts, false)).toEqual({
      attempts: 4,
      ok: 3,
      failed: 1,
      flagged: 0,
      loss: 0.25,
      p50: 0.002,
      p99: 0.003,
      max: 0.003,
      rttP50: 0.0002,
    })
  })

  test('leaves out the times of an attempt that starvation has spoilt, and keeps its round trip', () => {
    const spoilt = succeeded(0.001, { noise: { own: 0.5 }, facts: facts({ kernel: kernel(0.00005) }) })
    expect(summarize([spoilt], false)).toEqual({
      attempts: 1,
      ok: 1,
      failed: 0,
      flagged: 1,
      loss: 0,
      rttP50: 0.00005,
    })
  })

  test('towards a kept connection, leaves out the attempt that made it', () => {
    expect(summarize([succeeded(0.5), onKept(0.001), onKept(0.002)], true)).toMatchObject({
      attempts: 3,
      ok: 3,
      p50: 0.001,
      max: 0.002,
    })
  })

  test('of nothing is nothing', () => {
    expect(summarize([], false)).toEqual({ attempts: 0, ok: 0, failed: 0, flagged: 0 })
  })

  test('is ordered, and counts every attempt once', () => {
    const attempt = fc.oneof(
      fc.double({ min: 1e-5, max: 10, noNaN: true }).map((seconds) => succeeded(seconds)),
      fc.constant(failed(8)),
    )
    fc.assert(
      fc.property(fc.array(attempt), (attempts) => {
        const { ok, failed, p50 = 0, p99 = 0, max = 0 } = summarize(attempts, false)
        expect(ok + failed).toBe(attempts.length)
        expect(p50).toBeLessThanOrEqual(p99)
        expect(p99).toBeLessThanOrEqual(max)
      }),
    )
  })
})

describe('probe exit code', () => {
  test('is 0 when every attempt was fine', () => {
    expect(exitCodeOf(summarize([succeeded(0.001)], false))).toBe(0)
  })

  test('is 1 when one failed', () => {
    expect(exitCodeOf(summarize([succeeded(0.001), failed(8)], false))).toBe(1)
  })

  test('is 1 when nothing was measured', () => {
    expect(exitCodeOf(summarize([], false))).toBe(1)
  })
})
