import type { ProbeSections } from '../kinds/options.ts'
import type { Seconds } from '../model/duration.ts'
import type { KindName } from '../model/facts.ts'
import type { ConnectionUse } from '../model/path.ts'
import { stretchFactor } from './rate.ts'
import { plannedVariants, type Rate, rateOf } from './timing.ts'

export interface FleetOptions {
  /** Nodes in all, at least 1. */
  readonly nodes: number
  /** Zones, over which the nodes are spread evenly. The default is 3. */
  readonly zones?: number
  readonly perZone: number
  readonly rotating: number
  readonly sections: ProbeSections
  readonly rate: Rate
  /** Address families of each peer. The default is 1. */
  readonly families?: 1 | 2
}

/** Attempts per second of one way of measuring. */
export interface FleetRow {
  readonly kind: KindName
  readonly connection: ConnectionUse
  /** Interval of each check, stretched where the cap demands it. */
  readonly every: Seconds
  /** That arrive at each node, on average: as many as each node sends to others. */
  readonly towardsEachPeer: number
  /** Of all nodes together. */
  readonly fleet: number
}

/** What a fleet of agents costs, on average over its nodes. */
export interface FleetRates {
  /** Peers of each node, and nodes that probe it. */
  readonly peersPerNode: number
  readonly rows: readonly FleetRow[]
  /** Sums of the rows. */
  readonly towardsEachPeer: number
  readonly fleet: number
  /** Attempts per second that each node starts: towards its peers and towards itself over loopback. */
  readonly startedByEachNode: number
  /** What all intervals are multiplied by for the cap; 1 where it is not reached. */
  readonly stretch: number
}

/** Expects the rates of a fleet in which every node runs an agent with these settings. */
export function fleetRates(options: FleetOptions): FleetRates {
  const { nodes, sections, rate, families = 1 } = options
  const peersPerNode = meanPeers(options)
  const variants = plannedVariants(sections, rate).filter(({ variant }) => rateOf(variant) > 0)
  const perCheck = variants.reduce((sum, { variant }) => sum + rateOf(variant), 0)
  // Over loopback the agent speaks to itself in one family.
  const wanted = perCheck * (peersPerNode * families + 1)
  const stretch = stretchFactor(wanted)
  const rows = variants.map(({ kind, variant: { connection, every } }) => {
    const towardsEachPeer = (peersPerNode * families) / (every * stretch)
    return { kind, connection, every: every * stretch, towardsEachPeer, fleet: towardsEachPeer * nodes }
  })
  const towardsEachPeer = rows.reduce((sum, row) => sum + row.towardsEachPeer, 0)
  const startedByEachNode = wanted / stretch
  return { peersPerNode, rows, towardsEachPeer, fleet: towardsEachPeer * nodes, startedByEachNode, stretch }
}

/** Edges of the whole fleet by the promises of `selectPeers`, per node. */
function meanPeers({ nodes, zones = 3, perZone, rotating }: FleetOptions): number {
  const sizes = Array.from({ length: zones }, (_, i) => Math.floor((nodes + i) / zones)).filter((n) => n > 0)
  let edges = 0
  for (const [i, from] of sizes.entries()) {
    for (const [j, to] of sizes.entries()) {
      edges += i === j ? from * Math.min(perZone, from - 1) : edgesAcross(from, to, perZone)
    }
  }
  const lasting = edges / nodes
  return lasting + Math.min(rotating, nodes - 1 - lasting)
}

/** Edges from all nodes of one zone to those of another. */
export function edgesAcross(from: number, to: number, perZone: number): number {
  return Math.max(from * Math.min(perZone, to), Math.min(to, 2 * perZone * from))
}
