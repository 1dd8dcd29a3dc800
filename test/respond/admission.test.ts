import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Admission, type ConnectionLimits, Seat } from '../../src/respond/admission.ts'

const clock = { now: () => 0, wall: () => 0 }
const limits: ConnectionLimits = {
  connections: 6,
  perAddress: 4,
  perSource: 2,
  hold: 10,
  bytesPerSecond: 1000,
}

type Step =
  | { readonly does: 'admit'; readonly address: string }
  | { readonly does: 'claim'; readonly seat: number; readonly node: string }
  | { readonly does: 'release'; readonly seat: number }

describe('admission', () => {
  test('never lets more in than each limit allows, and everybody again once all have left', () => {
    fc.assert(
      fc.property(fc.array(anyStep(), { maxLength: 60 }), (steps) => {
        const admission = new Admission(limits, clock)
        const seats: Seat[] = []
        const seatAt = (index: number) => seats[index % seats.length]
        for (const step of steps) {
          if (step.does === 'admit') {
            const seat = admission.admit(step.address, () => undefined)
            if (seat instanceof Seat) seats.push(seat)
          } else {
            const seat = seatAt(step.seat)
            if (seat === undefined) continue
            if (step.does === 'claim') admission.claim(seat, step.node)
            else {
              seats.splice(seats.indexOf(seat), 1)
              admission.release(seat)
            }
          }
          expect(admission.connections).toBe(seats.length)
          expect(seats.length).toBeLessThanOrEqual(limits.connections)
          expect(most(seats.map(({ address }) => address))).toBeLessThanOrEqual(limits.perAddress)
          expect(most(seats.map(({ source }) => source))).toBeLessThanOrEqual(limits.perSource)
        }
        for (const seat of seats) admission.release(seat)
        expect(admission.connections).toBe(0)
        for (const address of ['a', 'b']) {
          for (let i = 0; i < limits.perSource; i++) {
            expect(admission.admit(address, () => undefined)).toBeInstanceOf(Seat)
          }
        }
      }),
    )
  })

  test('does not count a seat that is released twice', () => {
    const admission = new Admission(limits, clock)
    const [first, second] = ['a', 'a'].map((address) => admission.admit(address, () => undefined))
    if (!(first instanceof Seat && second instanceof Seat)) throw new Error('Expected two seats')
    admission.release(first)
    admission.release(first)
    expect(admission.connections).toBe(1)
    expect(admission.admit('a', () => undefined)).toBeInstanceOf(Seat)
    expect(admission.admit('a', () => undefined)).toBe('too_many_per_source')
  })
})

describe('seat', () => {
  test('owes time for what it took above the rate, and pays it off by waiting', () => {
    const seat = new Seat('a', 0, () => undefined, 1000)
    expect(seat.spend(1000, 0)).toBe(0)
    expect(seat.spend(500, 0)).toBeCloseTo(0.5, 9)
    expect(seat.spend(0, 0.25)).toBeCloseTo(0.25, 9)
    expect(seat.spend(0, 0.5)).toBe(0)
    // However long it was quiet, it saves up a second's worth at most.
    expect(seat.spend(1001, 100)).toBeCloseTo(0.001, 9)
  })
})

function anyStep(): fc.Arbitrary<Step> {
  const seat = fc.nat({ max: 10 })
  return fc.oneof(
    fc.record({ does: fc.constant('admit' as const), address: fc.constantFrom('a', 'b') }),
    fc.record({ does: fc.constant('claim' as const), seat, node: fc.constantFrom('n1', 'n2') }),
    fc.record({ does: fc.constant('release' as const), seat }),
  )
}

/** How often the most frequent value is there. */
function most(values: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}
