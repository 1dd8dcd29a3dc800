import { BlockList, isIP } from 'node:net'
import type { NodeIdentity, Site } from '../config/schema.ts'
import type { Boundary, Place } from '../model/path.ts'
import type { Peer } from '../model/peer.ts'

/** Zone of a place that nothing told: no zone of its own, and no site. */
export const UNKNOWN_ZONE = 'unknown'

/** A site, made ready to be asked. */
export interface SiteRule {
  readonly name: string
  readonly zones: ReadonlySet<string>
  readonly networks: BlockList
  readonly nodes: RegExp | undefined
}

/** Who stands somewhere, as far as it tells where. */
type Located = Pick<Peer, 'node' | 'zone'> & { readonly addresses: readonly { readonly address: string }[] }

/** What answers at the other end: this agent itself, another of our responders, or something that is not ours. */
export type OtherEnd = 'self' | 'responder' | 'target'

/** The configuration's sites, compiled once for many places. */
export function siteRules(sites: readonly Site[]): SiteRule[] {
  return sites.map(({ name, zones, cidrs, nodes }) => ({
    name,
    zones: new Set(zones),
    networks: blockList(cidrs),
    nodes: nodes === undefined ? undefined : globPattern(nodes),
  }))
}

/**
 * Where a peer stands. Its site is the first one that has its name, its zone or one of its addresses; its zone is its
 * own, else the site's name, else `unknown`.
 */
export function placeOf({ node, zone, addresses }: Located, sites: readonly SiteRule[]): Place {
  const site = sites.find((rule) => isIn(rule, { node, zone, addresses }))?.name
  return { node, zone: zone ?? site ?? UNKNOWN_ZONE, site }
}

/** Where this agent stands. */
export function ownPlace({ name, zone, podIp }: NodeIdentity, sites: readonly SiteRule[]): Place {
  return placeOf({ node: name, zone, addresses: podIp === undefined ? [] : [{ address: podIp }] }, sites)
}

/**
 * How far apart this agent and the other end are. Sites go before zones: two places in different sites, or only one of
 * them in a site, are `on_prem` to each other. A target without a site is `external`.
 *
 * `unknown` counts as a zone like any other: a cluster without zones is one zone, and a node without a zone
 * among nodes with one is across a border, since nothing says that it is near.
 */
export function boundaryOf(self: Place, other: Place, end: OtherEnd): Boundary {
  if (end === 'self') return 'loopback'
  if (end === 'target' && other.site === undefined) return 'external'
  if (end === 'responder' && self.node === other.node) return 'same_node'
  if (self.site !== other.site) return 'on_prem'
  return self.zone === other.zone ? 'same_zone' : 'cross_zone'
}

function isIn({ nodes, zones, networks }: SiteRule, { node, zone, addresses }: Located): boolean {
  if (nodes?.test(node)) return true
  if (zone !== undefined && zones.has(zone)) return true
  return addresses.some(({ address }) => networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
}

function blockList(networks: Site['cidrs']): BlockList {
  const list = new BlockList()
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family)
  return list
}

/** `*` is any characters, `?` is one. */
function globPattern(glob: string): RegExp {
  const pattern = RegExp.escape(glob).replaceAll('\\*', '.*').replaceAll('\\?', '.')
  return new RegExp(`^${pattern}$`)
}
