import type { Boundary, Place } from '../model/path.ts'
import type { Peer } from '../model/peer.ts'
import type { PeerState, PeerView } from '../model/view.ts'
import type { PlannedPeer } from './checks.ts'
import { type SelectOptions, selectPeers } from './select.ts'

/** A peer, and where it stands as seen from here. */
export interface LocatedPeer {
  readonly peer: Peer
  readonly place: Place
  readonly boundary: Boundary
}

export interface PeersPlan {
  /** Those to probe. */
  readonly planned: readonly PlannedPeer[]
  /** The reason for each known peer, by node. */
  readonly why: ReadonlyMap<string, string>
}

/** Selects among located peers; see `selectPeers` for what the selection promises. */
export function planPeers(
  self: Place,
  peers: readonly LocatedPeer[],
  options: Pick<SelectOptions, 'perZone' | 'rotating' | 'epoch'>,
): PeersPlan {
  const selection = selectPeers({ self, nodes: peers.map(({ place }) => place), ...options })
  const lasting = new Set([...selection.sameZone, ...selection.otherZones])
  const rotating = new Set(selection.rotating)
  const planned = peers
    .filter(({ peer }) => lasting.has(peer.node) || rotating.has(peer.node))
    .map((located) => ({ ...located, rotating: rotating.has(located.peer.node) }))
  return { planned, why: selection.why }
}

/** How a person sees the known peers. */
export function viewPeers(
  peers: readonly LocatedPeer[],
  { planned, why }: PeersPlan,
  stateOf: (node: string) => PeerState,
): readonly PeerView[] {
  const chosen = new Set(planned.map(({ peer }) => peer.node))
  return peers.map(({ peer, place, boundary }) => ({
    node: peer.node,
    zone: place.zone,
    ...(place.site === undefined ? {} : { site: place.site }),
    boundary,
    addresses: peer.addresses.map(({ address }) => address),
    source: peer.source,
    state: stateOf(peer.node),
    chosen: chosen.has(peer.node),
    why: why.get(peer.node) ?? 'not selected',
  }))
}
