import type { Check } from '../../src/model/check.ts'
import type { Observation } from '../../src/model/observation.ts'
import type { Place, Target } from '../../src/model/path.ts'
import type { Telemetry } from '../../src/telemetry/create-telemetry.ts'
import { createAttempt, createCheck } from './fixtures.ts'

/** Names as a large provider gives them: they decide the size of the text. */
export const SELF: Place = { node: 'ip-10-0-11-101.eu-central-1.compute.internal', zone: 'eu-central-1a' }

const ZONES = ['eu-central-1a', 'eu-central-1b', 'eu-central-1c']

const VARIANTS = [
  { kind: 'tcp', connection: 'new', every: 1 },
  { kind: 'http', connection: 'reused', every: 4 },
  { kind: 'http', connection: 'new', every: 15 },
] as const

/** tcp and http at defaults: `peers` in 3 zones, one more that rotates, and the agent itself. */
export function meshChecks(peers: number): Check[] {
  const self = { identity: SELF.node, zone: SELF.zone, boundary: 'loopback' } as const
  const targets = [
    ...Array.from({ length: peers }, (_, i) => peer(i)),
    { ...peer(peers), rotating: true },
    self,
  ]
  return targets.flatMap((target) => VARIANTS.map((variant) => createCheck({ ...variant, target })))
}

function peer(i: number): Partial<Target> {
  const zone = ZONES[i % ZONES.length] ?? ''
  return {
    identity: `ip-10-0-1${i % ZONES.length}-${i}.eu-central-1.compute.internal`,
    zone,
    boundary: zone === SELF.zone ? 'same_zone' : 'cross_zone',
  }
}

/** Lets every check see successes of different length, one failure and one skipped slot, with every fact there is. */
export function fill({ sink }: Telemetry, checks: readonly Check[], attempts = 20): void {
  const vary = createVariation()
  for (const check of checks) {
    sink.begin(check)
    const count = Math.ceil(attempts * vary(1))
    for (let i = 0; i < count; i++) sink.record(check, success(check, vary))
    sink.record(check, {
      ...success(check, vary),
      ...FAILED,
      facts: { bytes: 0, reused: false, reconnected: true },
    })
    sink.skipped(check)
  }
}

const FAILED = {
  phases: { connect: 8 },
  failure: { reason: 'timeout_connect', phase: 'connect', detail: '' },
} as const

function success({ kind, connection }: Check, vary: (value: number) => number): Observation {
  const kernel = { rtt: vary(0.0003), synRetransmits: 0, mss: 8949, pathMtu: 9001 }
  const reused = connection === 'reused'
  const phases = { first_byte: vary(0.0004), other: vary(0.00001) }
  const connected = reused ? phases : { connect: vary(0.0004), ...phases }
  if (kind === 'tcp') return createAttempt({ phases: connected, facts: { kernel } })
  return createAttempt({
    phases: { ...connected, request: vary(0.00004), transfer: vary(0.00005) },
    facts: { kernel, bytes: 512, reused, reconnected: false },
  })
}

/** Half to one and a half times a value, the same in each run: equal numbers would compress too well. */
function createVariation(): (value: number) => number {
  let state = 1
  return (value) => {
    state = (state * 48_271) % 0x7fffffff
    return value * (0.5 + state / 0x7fffffff)
  }
}
