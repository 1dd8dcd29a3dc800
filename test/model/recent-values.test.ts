import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantile } from '../../src/model/quantile.ts'
import { RecentValues } from '../../src/model/recent-values.ts'

test('recent values are exactly those of the span, and the newest when there are more than the limit', () => {
  const steps = fc.array(
    fc.tuple(fc.double({ min: 0, max: 3, noNaN: true }), fc.integer({ min: -50, max: 50 })),
    { minLength: 30, maxLength: 120 },
  )
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 20 }),
      (values, limit, span) => {
        const recent = new RecentValues(span, limit)
        const added: { at: number; value: number }[] = []
        let now = 0
        for (const [pause, value] of values) {
          now += pause
          recent.add(now, value)
          added.push({ at: now, value })
          const expected = added.slice(-limit).filter(({ at }) => now - at <= span)
          expect([...recent.sorted(now)]).toEqual(expected.map((one) => one.value).sort((a, b) => a - b))
        }
      },
    ),
  )
})

test('a quantile is the smallest value that so large a part of the values does not exceed', () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })
  fc.assert(
    fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (unsorted, q) => {
      const sorted = Float64Array.from(unsorted).sort()
      const expected = sorted.find(
        (value) => sorted.filter((other) => other <= value).length >= q * sorted.length,
      )
      expect(quantile(sorted, q)).toBe(expected)
    }),
  )
  expect(quantile([3, 4, 5], 0)).toBe(3)
  expect(quantile([], 0.5)).toBeUndefined()
})
