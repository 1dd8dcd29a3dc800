import type { Check } from '../../src/model/check.ts'
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

/** Lets every check see successes, one failure and one skipped slot, with every fact there is. */
export function fill({ sink }: Telemetry, checks: readonly Check[], attempts = 20): void {
  const kernel = { rtt: 0.000312, synRetransmits: 0, mss: 8949, pathMtu: 9001 }
  for (const check of checks) {
    sink.begin(check)
    const http = check.kind === 'http'
    const reused = check.connection === 'reused'
    const phases = {
      ...(reused ? {} : { connect: 0.000371234 }),
      ...(http ? { request: 0.000041234, transfer: 0.000051234 } : {}),
      first_byte: 0.000412345,
      other: 0.000012345,
    }
    const facts = http ? { kernel, bytes: 512, reused, reconnected: false } : { kernel }
    for (let i = 0; i < attempts; i++) sink.record(check, createAttempt({ phases, facts }))
    const failure = { reason: 'timeout_connect', phase: 'connect', detail: '' } as const
    sink.record(
      check,
      createAttempt({ phases: { connect: 8 }, failure, facts: http ? { ...facts, reconnected: true } : {} }),
    )
    sink.skipped(check)
  }
}
