import { describe, expect, it } from 'vitest'
import { Lifecycle, nextLife } from '../../src/discovery/lifecycle.ts'
import type { Check, Sink } from '../../src/model/check.ts'
import type { Observation } from '../../src/model/observation.ts'
import type { Reason } from '../../src/model/reason.ts'

const check = { target: { identity: 'n2', expectNode: 'n2' } } as Check

function answer(draining: boolean, node = 'n2'): Observation {
  const farEnd = { node, draining, residence: 0, runQueueWait: 0, loopLag: 0 }
  return { is: 'attempt', at: 0, noise: {}, phases: {}, facts: { farEnd } }
}

function failure(reason: Reason): Observation {
  return {
    is: 'attempt',
    at: 0,
    noise: {},
    phases: {},
    facts: {},
    failure: { reason, phase: 'connect', detail: 'x' },
  }
}

function setUp() {
  let now = 100
  const lifecycle = new Lifecycle({ now: () => now, wall: () => now })
  const seen: (Reason | undefined)[] = []
  const nothing = () => undefined
  const sink: Sink = {
    begin: nothing,
    forget: nothing,
    skipped: nothing,
    record: (_, observation) => seen.push(observation.failure?.reason),
  }
  const before = lifecycle.before(sink)
  return {
    lifecycle,
    seen,
    record: (observation: Observation) => before.record(check, observation),
    pass: (seconds: number) => {
      now += seconds
    },
  }
}

describe('the life of a peer', () => {
  it('is active until an answer announces that it is draining', () => {
    const active = nextLife({ state: 'active' }, 5)
    expect(active).toEqual({ state: 'active' })
    expect(nextLife(active, 5, true)).toEqual({ state: 'leaving', since: 5 })
  })

  it('turns suspect when a leaving peer is still known after a minute, and active when it answers without draining', () => {
    expect(nextLife({ state: 'leaving', since: 5 }, 65)).toEqual({ state: 'leaving', since: 5 })
    expect(nextLife({ state: 'leaving', since: 5 }, 65.1)).toEqual({ state: 'suspect' })
    expect(nextLife({ state: 'suspect' }, 99, false)).toEqual({ state: 'active' })
  })
})

describe('failures of a peer', () => {
  it('keep their reason while it is active', () => {
    const { record, seen } = setUp()
    record(answer(false))
    record(failure('refused'))
    expect(seen).toEqual([undefined, 'refused'])
  })

  it('count as draining after it announced its end, but for those of this agent', () => {
    const { record, seen, lifecycle } = setUp()
    record(answer(true))
    record(failure('refused'))
    record(failure('local_resource'))
    expect(lifecycle.stateOf('n2')).toBe('leaving')
    expect(seen).toEqual([undefined, 'draining', 'local_resource'])
  })

  it('keep their reason when it is another node that is draining', () => {
    const { record, seen } = setUp()
    record(answer(true, 'n9'))
    record(failure('refused'))
    expect(seen).toEqual([undefined, 'refused'])
  })

  it('are its own again when it did not go within a minute', () => {
    const { record, seen, pass } = setUp()
    record(answer(true))
    pass(61)
    record(failure('refused'))
    expect(seen).toEqual([undefined, 'refused'])
  })

  it('are forgotten with a peer that is no longer known', () => {
    const { record, seen, lifecycle } = setUp()
    record(answer(true))
    lifecycle.keepOnly(new Set(['n3']))
    record(failure('refused'))
    expect(seen).toEqual([undefined, 'refused'])
  })
})
