import type { ProbeSections } from '../../src/kinds/options.ts'
import type { Boundary, Place } from '../../src/model/path.ts'
import type { Peer } from '../../src/model/peer.ts'
import { type PlannedPeer, planChecks } from '../../src/plan/checks.ts'

/** The defaults of the configuration, decoded. */
export const sections: ProbeSections = {
  tcp: { every: 1, limit: 8 },
  http: { reused: { every: 4 }, new: { every: 15 }, limit: 8 },
}

export const self: Place = { node: 'n1', zone: 'zone-a' }

interface PeerShape extends Partial<Pick<Peer, 'zone' | 'addresses' | 'ports'>> {
  readonly boundary?: Boundary
  readonly rotating?: boolean
}

export function plannedPeer(node: string, shape: PeerShape = {}): PlannedPeer {
  const { zone = 'zone-b', boundary = 'cross_zone', rotating = false } = shape
  const { addresses = [{ address: '10.0.0.2', family: 4 }], ports = { http: 9711, tcp: 9713 } } = shape
  return {
    peer: { node, zone, addresses, ports, source: 'static' },
    place: { node, zone },
    boundary,
    rotating,
  }
}

/** Checks to this many peers at the defaults: three each, of 79/60 attempts per second. */
export function checksToPeers(count: number, given: ProbeSections = sections) {
  const peers = Array.from({ length: count }, (_, i) => plannedPeer(`p${i}`))
  return planChecks({ self, peers, sections: given, rate: 'normal' })
}
