import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AttemptRing, BYTES_PER_SLOT, RESULTS, type Slot } from '../../src/telemetry/attempt-ring.ts'

const slot = fc.record({
  result: fc.constantFrom(...RESULTS),
  flagged: fc.boolean(),
  duration: fc.double({ min: 0, max: 60, noNaN: true }),
  rtt: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
})

test('the ring gives back the newest slots as they were, newest first, through every change of its limit', () => {
  const push = fc.record({ slots: fc.array(slot, { maxLength: 150 }) })
  const change = fc.record({ limit: fc.integer({ min: 1, max: 200 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.oneof(push, change), { maxLength: 8 }),
      (first, steps) => {
        const ring = new AttemptRing(first)
        let model: Slot[] = []
        let at = 0
        for (const step of steps) {
          if ('limit' in step) ring.limit = step.limit
          else {
            for (const one of step.slots) {
              ring.push({ ...one, at: ++at })
              model = [...model, { ...one, at }].slice(-ring.limit)
            }
          }
          model = model.slice(-ring.limit)
          expect([...ring.backTo(0)]).toEqual(model.toReversed())
          expect(ring.bytes).toBeLessThanOrEqual(ring.limit * BYTES_PER_SLOT)
        }
        const half = Math.ceil(at / 2)
        expect([...ring.backTo(half)]).toEqual(model.filter((one) => one.at >= half).toReversed())
      },
    ),
  )
})
