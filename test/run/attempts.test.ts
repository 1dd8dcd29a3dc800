import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Check } from '../../src/model/check.ts'
import type { Clock } from '../../src/model/clock.ts'
import { createSchedule, type Schedule } from '../../src/plan/due.ts'
import { Attempts, type SkipReason, type SlotCount } from '../../src/run/attempts.ts'
import { tcpCheck } from '../support/checks.ts'
import { type Behaviour, createScriptedProber, type ScriptedProber } from './scripted-prober.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

interface Step {
  /** Milliseconds of which timers know. */
  readonly advance: number
  /** Milliseconds for which nothing ran before that: timers that were due then are late. */
  readonly pause: number
}

interface Scene {
  readonly every: number
  readonly limit: number
  readonly overlap: number
  readonly behaviours: readonly Behaviour[]
  readonly steps: readonly Step[]
}

const behaviours: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ answersIn: fc.nat(3000) }),
  fc.record({ throwsIn: fc.nat(1000) }),
  fc.constant('silent' as const),
)

const scenes: fc.Arbitrary<Scene> = fc.record({
  every: fc.constantFrom(0.1, 0.25, 1),
  limit: fc.constantFrom(0.1, 0.8, 2),
  overlap: fc.integer({ min: 1, max: 8 }),
  behaviours: fc.array(behaviours, { minLength: 1, maxLength: 8 }),
  steps: fc.array(
    fc.record({ advance: fc.nat(2000), pause: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(5000)) }),
    { minLength: 1, maxLength: 15 },
  ),
})

test('every slot that was due is finished, in flight, cancelled or skipped, at any time', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const stage = setStage(scene)
      for (const { advance, pause } of scene.steps) {
        stage.pause(pause)
        await vi.advanceTimersByTimeAsync(advance)
        stage.expectBalance()
      }
      await stage.attempts[Symbol.asyncDispose]()
      stage.expectBalance()
      expect(stage.attempts.count().inFlight).toBe(0)
      expect(stage.prober.disposals).toBe(1)
      // A deadline that passed in this turn of the loop is told in the next.
      await vi.advanceTimersByTimeAsync(1)
      expect(vi.getTimerCount()).toBe(0)
    }),
  )
})

test('each slot is due once, and none is made up for, however late the timers are', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const stage = setStage(scene)
      for (const { advance, pause } of scene.steps) {
        stage.pause(pause)
        await vi.advanceTimersByTimeAsync(advance)
      }
      // A timer that was armed before a pause has fired by then.
      await vi.advanceTimersByTimeAsync(scene.every * 1000 + 2)
      const passed = stage.schedule.slotIndexAt(stage.clock.now()) - stage.before
      // A timer may fire a millisecond after its slot.
      expect([passed, passed - 1]).toContain(stage.attempts.count().due)
      for (const delay of stage.delays) {
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThan(scene.every)
      }
      await stage.attempts[Symbol.asyncDispose]()
    }),
  )
})

test('at most as many attempts are under way as may overlap', async () => {
  const stage = setStage({ ...SILENT, overlap: 3 })
  await vi.advanceTimersByTimeAsync(650)
  expect(stage.attempts.count()).toEqual({ due: 6, finished: 0, inFlight: 3, cancelled: 0, skipped: 3 })
  expect(stage.skipped).toEqual({ busy: 3, late: 0 })
  await stage.attempts[Symbol.asyncDispose]()
  expect(stage.attempts.count()).toEqual({ due: 6, finished: 0, inFlight: 0, cancelled: 3, skipped: 3 })
})

test('an attempt that is never answered costs its limit, and then its place is free', async () => {
  const stage = setStage({ ...SILENT, limit: 0.25, overlap: 1 })
  await vi.advanceTimersByTimeAsync(1230)
  // Slots at 50, 150, 250... ms: of three, one starts and two find it under way.
  expect(stage.attempts.count()).toEqual({ due: 12, finished: 4, inFlight: 0, cancelled: 0, skipped: 8 })
  await stage.attempts[Symbol.asyncDispose]()
})

test('slots that passed in a pause are skipped as late, and one attempt starts after it', async () => {
  const stage = setStage({ ...SILENT, behaviours: [{ answersIn: 1 }] })
  await vi.advanceTimersByTimeAsync(80)
  expect(stage.prober.begun).toBe(1)
  stage.pause(1030)
  await vi.advanceTimersByTimeAsync(95)
  expect(stage.prober.begun).toBe(2)
  expect(stage.skipped).toEqual({ busy: 0, late: 10 })
  await vi.advanceTimersByTimeAsync(100)
  expect(stage.prober.begun).toBe(3)
  await stage.attempts[Symbol.asyncDispose]()
})

test('a prober that throws is a fault, and the schedule goes on', async () => {
  const stage = setStage({ ...SILENT, behaviours: [{ throwsIn: 0 }] })
  await vi.advanceTimersByTimeAsync(1000)
  expect(stage.faults).toHaveLength(10)
  expect(stage.attempts.count()).toMatchObject({ due: 10, finished: 10 })
  await stage.attempts[Symbol.asyncDispose]()
})

test('disposing waits for what is under way, and then disposes the prober', async () => {
  const stage = setStage({ ...SILENT, overlap: 8 })
  await vi.advanceTimersByTimeAsync(450)
  const disposed = stage.attempts[Symbol.asyncDispose]()
  expect(stage.prober.disposals).toBe(0)
  await disposed
  expect(stage.prober).toMatchObject({ begun: 4, ended: 4, disposals: 1 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(stage.prober.begun).toBe(4)
})

/** A peer that never answers, at 10 attempts a second. */
const SILENT: Omit<Scene, 'steps'> = {
  every: 0.1,
  limit: 8,
  overlap: 8,
  behaviours: ['silent'],
}

interface Stage {
  readonly attempts: Attempts
  readonly prober: ScriptedProber
  readonly schedule: Schedule
  readonly clock: Clock
  /** The slot before the first that counts. */
  readonly before: number
  readonly delays: readonly number[]
  readonly faults: readonly unknown[]
  readonly skipped: Readonly<Record<SkipReason, number>>
  /** Lets time pass of which no timer knows, as when the process is stopped. */
  pause(ms: number): void
  /** Fails too when it was out of balance while anyone was told of a slot, or in one of ten microtasks after that. */
  expectBalance(): void
}

/** Slots are due 50 ms, or half an interval, after the start and then at each interval. */
function setStage({ every, limit, overlap, behaviours }: Omit<Scene, 'steps'>): Stage {
  const startedAt = performance.now()
  let paused = 0
  const clock: Clock = { now: () => (performance.now() - startedAt + paused) / 1000, wall: () => 0 }
  const check: Check = { ...tcpCheck(1), every, limit, overlap }
  const schedule = halfwaySchedule(every, check)
  const before = schedule.slotIndexAt(clock.now())
  const prober = createScriptedProber((nth) => behaviours[nth % behaviours.length] ?? 'silent')
  const delays: number[] = []
  const faults: unknown[] = []
  const skipped = { busy: 0, late: 0 }
  const imbalances: SlotCount[] = []
  const look = () => {
    const count = attempts.count()
    if (!isBalanced(count)) imbalances.push(count)
  }
  const keepLooking = async () => {
    for (let i = 0; i < 10; i++) {
      look()
      await undefined
    }
  }
  const attempts = new Attempts({
    check,
    prober: {
      runs: 'attempts',
      attempt: (signal) => prober.attempt(signal).finally(() => void keepLooking()),
      [Symbol.asyncDispose]: () => prober[Symbol.asyncDispose](),
    },
    schedule,
    clock,
    onSkipped: (reason, slots) => {
      skipped[reason] += slots
      look()
    },
    onStart: (delay) => {
      delays.push(delay)
      look()
    },
    onFault: (error) => faults.push(error),
  })
  return {
    attempts,
    prober,
    schedule,
    clock,
    before,
    delays,
    faults,
    skipped,
    pause(ms) {
      paused += ms
    },
    expectBalance() {
      expect(imbalances).toEqual([])
      const count = attempts.count()
      expect(count).toSatisfy(isBalanced)
      expect(count.inFlight).toBeLessThanOrEqual(overlap)
      expect(count.skipped).toBe(skipped.busy + skipped.late)
      expect(prober.begun).toBe(count.finished + count.inFlight + count.cancelled)
      expect(prober.ended).toBe(count.finished + count.cancelled)
      expect(faults).toHaveLength(prober.thrown)
    },
  }
}

function isBalanced({ due, finished, inFlight, cancelled, skipped }: SlotCount): boolean {
  return due === finished + inFlight + cancelled + skipped
}

/** A schedule whose phase is half an interval, whatever the hash of the check says. */
function halfwaySchedule(every: number, { id }: Check): Schedule {
  const first = createSchedule({ origin: 0, every, id, node: 'n1' }).dueTime(0)
  return createSchedule({ origin: every / 2 - first, every, id, node: 'n1' })
}
