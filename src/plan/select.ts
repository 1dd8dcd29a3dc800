import type { Place } from '../model/path.ts'
import { chooseAcross } from './across.ts'
import { coverZone } from './cover.ts'
import { type Ring, ringOf, successors } from './ring.ts'
import { type Candidate, rotatingPeers, rotationEnd } from './rotate.ts'

type Node = Pick<Place, 'node' | 'zone'>

export interface SelectOptions {
  readonly self: Node
  /** Every known node, in any order, each once; whether `self` is among them makes no difference. */
  readonly nodes: readonly Node[]
  /** Peers in each zone. */
  readonly perZone: number
  /** Further peers in total, changing with the epoch. */
  readonly rotating: number
  /** See `rotationEpoch`. */
  readonly epoch: number
}

/** Whom to probe: node names, in order of name. */
export interface Selection {
  readonly sameZone: readonly string[]
  readonly otherZones: readonly string[]
  readonly rotating: readonly string[]
  /** For each known node but `self`, a sentence that says why it is or is not probed. */
  readonly why: ReadonlyMap<string, string>
}

/**
 * Chooses whom a node probes, so that all agents together, each choosing for itself from the same nodes, cover the
 * fleet. With k for `perZone`:
 *
 * - inside a zone each node probes k others and is probed by k (by all, in a zone of k nodes or fewer);
 * - between any two zones S and D each node of S probes k nodes of D (all, where D has fewer), and as many more as it
 *   takes that every node of D is probed from S: at most `ceil(|D| / |S|)`, and never more than 2k;
 * - a node that comes or goes moves few edges: at 1,000 nodes in zones of like size at most 1 % of all.
 *
 * A zone may be a site, or `unknown`; each is a zone like any other.
 */
export function selectPeers({ self, nodes, perZone, rotating, epoch }: SelectOptions): Selection {
  const rings = ringsOf(self, nodes)
  const home = rings.get(self.zone) ?? ringOf([self.node])
  const selfIndex = home.names.indexOf(self.node)
  const sameZone: string[] = []
  const otherZones: string[] = []
  const why = new Map<string, string>()
  const rest: Candidate[] = []
  for (const [zone, ring] of rings) {
    const chosen =
      zone === self.zone
        ? successors(ring, self.node, perZone)
        : chooseAcross(home, ring, coverZone(home, ring, perZone), selfIndex, perZone)
    for (const node of chosen) (zone === self.zone ? sameZone : otherZones).push(node)
    explain(why, rest, { zone, ring, chosen, self: self.node })
  }
  const drawn = rotatingPeers(self.node, rest, rotating, epoch)
  for (const node of drawn) why.set(node, `rotating peer until ${rotationEnd(epoch)}`)
  return { sameZone: sameZone.sort(), otherZones: otherZones.sort(), rotating: [...drawn].sort(), why }
}

/** A ring per zone, zones in order of name. */
function ringsOf(self: Node, nodes: readonly Node[]): ReadonlyMap<string, Ring> {
  const zones = new Map<string, string[]>([[self.zone, [self.node]]])
  for (const { node, zone } of nodes) {
    if (node === self.node) continue
    const names = zones.get(zone)
    if (names === undefined) zones.set(zone, [node])
    else names.push(node)
  }
  const sorted = [...zones.keys()].sort()
  return new Map(sorted.map((zone) => [zone, ringOf(zones.get(zone) ?? [])]))
}

interface ZoneChoice {
  readonly zone: string
  readonly ring: Ring
  readonly chosen: readonly string[]
  readonly self: string
}

/** Writes down the reason for each node of a zone, and puts those not chosen among the rest. */
function explain(
  why: Map<string, string>,
  rest: Candidate[],
  { zone, ring, chosen, self }: ZoneChoice,
): void {
  const picked = new Set(chosen)
  const inside = `one of ${chosen.length} in ${zone}`
  const outside = `not among the ${chosen.length} of ${zone}`
  for (let i = 0; i < ring.names.length; i++) {
    const node = ring.names[i] ?? ''
    if (node === self) continue
    why.set(node, picked.has(node) ? inside : outside)
    if (!picked.has(node)) rest.push({ node, hash: ring.hashes[i] ?? 0 })
  }
}
