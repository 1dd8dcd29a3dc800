import { isIP } from 'node:net'
import type { Config, StaticPeer } from '../config/schema.ts'
import type { IpFamily } from '../model/path.ts'
import type { Peer } from '../model/peer.ts'

/** The peers that the configuration lists, in its order, without this node itself: one list may serve all nodes. */
export function staticPeers({ peers, node }: Pick<Config, 'peers' | 'node'>): Peer[] {
  return peers.static.filter((peer) => peer.node !== node.name).map(toPeer)
}

function toPeer({ node, zone, address, ports }: StaticPeer): Peer {
  return { node, zone, addresses: [{ address, family: familyOf(address) }], ports, source: 'static' }
}

/** @param address an IP literal */
function familyOf(address: string): IpFamily {
  return isIP(address) === 6 ? 6 : 4
}
