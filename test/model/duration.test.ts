import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from '../../src/model/duration.ts'

describe('parseDuration', () => {
  test.each([
    ['250ms', 0.25],
    ['5s', 5],
    ['1.5s', 1.5],
    ['2m', 120],
    ['6h', 21_600],
    ['7d', 604_800],
    ['100us', 0.0001],
    ['0s', 0],
  ])('reads %s', (text, seconds) => {
    expect(parseDuration(text)).toBeCloseTo(seconds, 12)
  })

  test.each([
    '',
    '5',
    's',
    '-5s',
    '5 s',
    ' 5s',
    '5s ',
    '1m30s',
    '.5s',
    '5.s',
    '1e3s',
    '5S',
    '5sec',
    '٣s',
    '5s\n',
  ])('does not take %j for a duration', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  test('reads any text without throwing, and never to a negative time', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseDuration(text) ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('formatDuration', () => {
  test.each([
    [0, '0s'],
    [1e-6, '1.00us'],
    [0.000_042, '42.0us'],
    [0.0012, '1.20ms'],
    [0.3, '300ms'],
    [1, '1.00s'],
    [45, '45.0s'],
    [0.000_999_9, '1.00ms'],
    [0.9999, '1.00s'],
    [119, '119s'],
    [119.9, '2.00m'],
    [120, '2.00m'],
    [7200, '2.00h'],
    [172_800, '2.00d'],
    [-0.25, '-250ms'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })

  test('writes what parseDuration reads, to three digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 3_000_000, noNaN: true }), (seconds) => {
        const again = parseDuration(formatDuration(seconds))
        expect(Math.abs((again ?? Number.NaN) - seconds)).toBeLessThanOrEqual(seconds * 0.0051)
      }),
    )
  })
})
