import type { Check, CheckId } from '../../src/model/check.ts'
import type { Clock } from '../../src/model/clock.ts'
import type { Observation } from '../../src/model/observation.ts'
import type { Target } from '../../src/model/path.ts'

export interface FakeClock extends Clock {
  advance(seconds: number): void
}

/** The wall clock stands a thousand seconds ahead of the monotonic one. */
export function createFakeClock(start = 1000): FakeClock {
  let now = start
  return {
    now: () => now,
    wall: () => now + 1000,
    advance(seconds) {
      now += seconds
    },
  }
}

export interface CheckParts extends Partial<Omit<Check, 'target' | 'id'>> {
  readonly id?: string
  readonly target?: Partial<Target>
}

/** A tcp check of node n2 in zone-b, with whatever parts a test cares about. */
export function createCheck({ id, target, ...rest }: CheckParts = {}): Check {
  const check = {
    kind: 'tcp',
    connection: 'new',
    options: {},
    every: 1,
    limit: 8,
    overlap: 8,
    ...rest,
    target: {
      identity: 'n2',
      zone: 'zone-b',
      boundary: 'cross_zone',
      via: 'pod',
      address: '127.0.0.1',
      port: 9703,
      family: 4,
      rotating: false,
      ...target,
    },
  } as const
  const name = id ?? `${check.target.identity} ${check.kind} ${check.connection}`
  return { ...check, id: name as CheckId }
}

export type AttemptParts = Partial<Observation>

/** A clean success of 1 ms. */
export function createAttempt(parts: AttemptParts = {}): Observation {
  return { is: 'attempt', at: 0, noise: {}, phases: { connect: 0.001 }, facts: {}, ...parts }
}

export function failedWith(reason: 'refused' | 'timeout_connect' | 'local_resource'): AttemptParts {
  return { failure: { reason, phase: 'connect', detail: `it was ${reason}` } }
}
