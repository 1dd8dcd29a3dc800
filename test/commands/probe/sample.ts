import type { ProbeAttempt } from '../../../src/commands/probe/attempts.ts'
import type { KernelFacts } from '../../../src/model/facts.ts'
import type { Observation } from '../../../src/model/observation.ts'

/** 2026-12-01T12:40:05Z. */
const AT = 1_796_128_805

/** A success of `seconds`, most of it waiting for the first byte, on a new connection. */
export function succeeded(seconds: number, over: Partial<Observation<'http'>> = {}): ProbeAttempt {
  const phases = { connect: seconds / 4, first_byte: seconds / 2, other: seconds / 4 }
  return attempt({ phases, facts: facts({ kernel: kernel(seconds / 10) }), ...over })
}

/** The same on the connection that another attempt has made. */
export function onKept(seconds: number): ProbeAttempt {
  return attempt({ phases: { first_byte: seconds }, facts: facts({ reused: true }) })
}

export function failed(seconds: number): ProbeAttempt {
  const failure = { reason: 'timeout_connect', phase: 'connect', detail: 'No result within 8.00s' } as const
  return attempt({ phases: { connect: seconds }, failure })
}

export function facts(over: Partial<Observation<'http'>['facts']> = {}): Observation<'http'>['facts'] {
  return { bytes: 512, reused: false, reconnected: false, ...over }
}

export function kernel(rtt: number | undefined, synRetransmits = 0): KernelFacts {
  return { synRetransmits, mss: 1448, pathMtu: 1500, ...(rtt !== undefined && { rtt }) }
}

/** What a responder says of itself. */
export const FAR_END = {
  node: 'node-b',
  zone: 'zone-b',
  version: '1.2.3',
  draining: false,
  residence: 0.0002,
  runQueueWait: 0,
  loopLag: 0,
}

function attempt(over: Partial<Observation<'http'>>): ProbeAttempt {
  return { at: AT, seen: { is: 'attempt', at: 12, noise: {}, phases: {}, facts: facts(), ...over } }
}
