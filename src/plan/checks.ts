import { kindOptions, type ProbeSections } from '../kinds/options.ts'
import type { Check } from '../model/check.ts'
import type { Boundary, Place, Target } from '../model/path.ts'
import type { Peer, PeerAddress, PeerPorts } from '../model/peer.ts'
import { checkId } from './check-id.ts'
import { type KindVariant, plannedVariants, type Rate } from './timing.ts'

/** A peer that was selected. */
export interface PlannedPeer {
  readonly peer: Peer
  readonly place: Place
  readonly boundary: Boundary
  readonly rotating: boolean
}

export interface PlanOptions {
  readonly self: Place
  /** Each node once; the agent itself is not among them. */
  readonly peers: readonly PlannedPeer[]
  /** Where the agent's own responder listens; absent where it has none. */
  readonly loopback?: { readonly address: PeerAddress; readonly ports: PeerPorts } | undefined
  readonly sections: ProbeSections
  readonly rate: Rate
}

type Destination = Omit<Target, 'address' | 'port' | 'family'>

/**
 * Makes every check of an agent: one for each peer, way of measuring and address family. A kind whose protocol a peer
 * does not listen for gives none. A rotating peer is measured by all kinds, like any other, and only its targets are
 * marked: it then says the same of its zone as the lasting ones.
 *
 * @returns in order of destination, kind, connection and family, whatever the order of the peers
 */
export function planChecks({ self, peers, loopback, sections, rate }: PlanOptions): readonly Check[] {
  const variants = plannedVariants(sections, rate)
  const checks = peers.flatMap(({ peer, place, boundary, rotating }) =>
    checksTo(
      { identity: peer.node, zone: place.zone, boundary, via: 'pod', expectNode: peer.node, rotating },
      peer.addresses,
      peer.ports,
      variants,
    ),
  )
  if (loopback !== undefined) {
    const { node, zone } = self
    const own: Destination = {
      identity: node,
      zone,
      boundary: 'loopback',
      via: 'pod',
      expectNode: node,
      rotating: false,
    }
    checks.push(...checksTo(own, [loopback.address], loopback.ports, variants))
  }
  return checks.sort(compareChecks)
}

function checksTo(
  destination: Destination,
  addresses: readonly PeerAddress[],
  ports: PeerPorts,
  variants: readonly KindVariant[],
): Check[] {
  return variants.flatMap(({ kind, variant }) => {
    const port = ports[kindOptions[kind].protocol]
    if (port === undefined) return []
    return addresses.map(({ address, family }) => {
      const target: Target = { ...destination, address, port, family }
      const { connection, options, every, limit, overlap } = variant
      const id = checkId({ target, kind, connection, options })
      return { id, target, kind, connection, options, every, limit, overlap }
    })
  })
}

function compareChecks(a: Check, b: Check): number {
  return (
    compareText(a.target.identity, b.target.identity) ||
    compareText(a.kind, b.kind) ||
    compareText(a.connection, b.connection) ||
    a.target.family - b.target.family ||
    compareText(a.id, b.id)
  )
}

/** By code unit, the same on every machine whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
