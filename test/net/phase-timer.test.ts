import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PHASES } from '../../src/model/reason.ts'
import { PhaseTimer } from '../../src/net/phase-timer.ts'

/** A clock that is moved by hand. */
class HandClock {
  at = 100
  now = (): number => this.at
  wall = (): number => 0
}

describe('PhaseTimer', () => {
  test('gives every instant to one phase, and adds up what comes back to a phase', () => {
    const clock = new HandClock()
    const timer = new PhaseTimer(clock, 'other')
    clock.at = 101
    timer.enter('connect')
    clock.at = 103
    timer.enter('other')
    clock.at = 107
    expect(timer.phase).toBe('other')
    expect(timer.stop()).toEqual({ other: 5, connect: 2 })
    expect(timer.startedAt).toBe(100)
  })

  test('counts nothing while it is held, and goes on at the next phase', () => {
    const clock = new HandClock()
    const timer = new PhaseTimer(clock, 'connect')
    clock.at = 102
    timer.hold()
    clock.at = 110
    timer.enter('transfer')
    clock.at = 113
    expect(timer.stop()).toEqual({ connect: 2, transfer: 3 })
  })

  test('adds up to the whole, whatever the phases', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...PHASES), fc.nat({ max: 1000 })))
    fc.assert(
      fc.property(steps, (all) => {
        const clock = new HandClock()
        const timer = new PhaseTimer(clock, 'other')
        for (const [phase, seconds] of all) {
          timer.enter(phase)
          clock.at += seconds
        }
        const sum = Object.values(timer.stop()).reduce((total, seconds) => total + seconds, 0)
        expect(sum).toBe(clock.at - 100)
      }),
    )
  })

  test('leaves out what was not entered', () => {
    expect(new PhaseTimer(new HandClock(), 'connect').stop()).toEqual({ connect: 0 })
  })

  test('never counts backwards', () => {
    const clock = new HandClock()
    const timer = new PhaseTimer(clock, 'connect')
    timer.enter('tls', 99)
    clock.at = 98
    expect(timer.stop()).toEqual({ connect: 0, tls: 0 })
  })
})
