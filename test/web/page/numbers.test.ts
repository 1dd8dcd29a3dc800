import { describe, expect, it } from 'vitest'
import { formatAge, formatClock, formatMilliseconds } from '../../../src/web/page/numbers.ts'
import { NOW } from '../fake-input.ts'

describe('numbers of the page', () => {
  for (const [seconds, text] of [
    [0.000045, '0.05'],
    [0.00054, '0.54'],
    [0.0123, '12.3'],
    [0.151, '151'],
    [8, '8,000'],
    [-0.0012, '-1.20'],
  ] as const) {
    it(`${seconds} s are ${text} ms`, () => expect(formatMilliseconds(seconds)).toBe(text))
  }

  for (const [seconds, text] of [
    [-5, '0s'],
    [59.9, '59s'],
    [60, '1m'],
    [3599, '59m'],
    [3600, '1h'],
    [7800, '2h 10m'],
    [86_400, '1d'],
    [187_200, '2d 4h'],
  ] as const) {
    it(`an age of ${seconds} s is ${text}`, () => expect(formatAge(seconds)).toBe(text))
  }

  it('the clock carries the date only when it is another day', () => {
    expect(formatClock(NOW - 60, NOW)).toBe('12:39:05')
    expect(formatClock(NOW - 86_400, NOW)).toBe('2026-11-30 12:40:05')
  })
})
