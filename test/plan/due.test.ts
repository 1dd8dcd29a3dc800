import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckId } from '../../src/model/check.ts'
import { createSchedule, phaseOf } from '../../src/plan/due.ts'

const origins = fc.double({ min: 0, max: 1e7, noNaN: true })
const intervals = fc.oneof(
  fc.constantFrom(0.1, 0.3, 1, 4, 15, 23, 21_600),
  fc.double({ min: 0.1, max: 1e4, noNaN: true }),
)
const schedules = fc
  .record({
    origin: origins,
    every: intervals,
    id: fc.string().map((text) => text as CheckId),
    node: fc.string(),
  })
  .map((options) => ({ options, schedule: createSchedule(options) }))
const indexes = fc.oneof(fc.nat(1000), fc.nat(1e8))

test('the slot at the time a slot is due is that slot, and just before it the one before', () => {
  fc.assert(
    fc.property(schedules, indexes, ({ options: { every }, schedule }, index) => {
      const due = schedule.dueTime(index)
      expect(schedule.slotIndexAt(due)).toBe(index)
      expect(schedule.slotIndexAt(due - every / 1000)).toBe(index - 1)
    }),
  )
})

test('the slot at any time is the last that is due', () => {
  fc.assert(
    fc.property(schedules, fc.double({ min: 0, max: 1e8, noNaN: true }), ({ schedule }, now) => {
      const index = schedule.slotIndexAt(now)
      expect(index).toBeGreaterThanOrEqual(-1)
      if (index >= 0) expect(schedule.dueTime(index)).toBeLessThanOrEqual(now)
      expect(schedule.dueTime(index + 1)).toBeGreaterThan(now)
    }),
  )
})

test('the slot is right to the last bit of the clock beside the time a slot is due', () => {
  fc.assert(
    fc.property(schedules, indexes, fc.constantFrom(-2, -1, 1, 2), ({ schedule }, index, bits) => {
      const now = schedule.dueTime(index) * (1 + bits * Number.EPSILON)
      const slot = schedule.slotIndexAt(now)
      if (slot >= 0) expect(schedule.dueTime(slot)).toBeLessThanOrEqual(now)
      expect(schedule.dueTime(slot + 1)).toBeGreaterThan(now)
    }),
    { numRuns: 1000 },
  )
})

test('slots follow each other at the interval, without drift', () => {
  fc.assert(
    fc.property(schedules, indexes, ({ options: { every }, schedule }, index) => {
      expect(schedule.every).toBe(every)
      expect(schedule.dueTime(index + 1) - schedule.dueTime(index)).toBeCloseTo(every, 2)
      expect(schedule.dueTime(index + 1)).toBeGreaterThan(schedule.dueTime(index))
      expect(schedule.dueTime(index) - schedule.dueTime(0)).toBeCloseTo(index * every, 2)
    }),
  )
})

test('the first slot lies within one interval of the origin', () => {
  fc.assert(
    fc.property(schedules, ({ options: { origin, every }, schedule }) => {
      expect(schedule.dueTime(0)).toBeGreaterThanOrEqual(origin)
      expect(schedule.dueTime(0)).toBeLessThanOrEqual(origin + every)
      expect(schedule.slotIndexAt(origin - 1)).toBe(-1)
      expect(schedule.slotIndexAt(origin - 100 * every)).toBe(-1)
    }),
  )
})

test('phases of the checks of one agent, and of the agents that probe one peer, are spread evenly', () => {
  const checks = Array.from({ length: 10_000 }, (_, i) => phaseOf(`check-${i}` as CheckId, 'n1'))
  const agents = Array.from({ length: 10_000 }, (_, i) => phaseOf('check-1' as CheckId, `n${i}`))
  for (const phases of [checks, agents]) {
    const counts = new Array<number>(100).fill(0)
    for (const phase of phases) {
      const bucket = Math.floor(phase * 100)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
    expect(counts.length).toBe(100)
    const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0)
    // 99 degrees of freedom: 99 on average, above 200 once in 10^8.
    expect(chiSquare).toBeLessThan(200)
  }
})
