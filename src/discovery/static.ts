import { isIP } from 'node:net'
import type { Config, StaticPeer } from '../config/schema.ts'
import type { IpFamily } from '../model/path.ts'
import type { Peer } from '../model/peer.ts'

/** The peers that the configuration lists, in its order. */
export function staticPeers(config: Pick<Config, 'peers'>): Peer[] {
  return config.peers.static.map(toPeer)
}

function toPeer({ node, zone, address, ports }: StaticPeer): Peer {
  return { node, zone, addresses: [{ address, family: familyOf(address) }], ports, source: 'static' }
}

/** @param address an IP literal */
function familyOf(address: string): IpFamily {
  return isIP(address) === 6 ? 6 : 4
}
