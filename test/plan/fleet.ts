import fc from 'fast-check'
import { chooseAcross } from '../../src/plan/across.ts'
import { coverZone } from '../../src/plan/cover.ts'
import { ringOf, successors } from '../../src/plan/ring.ts'
import { selectPeers } from '../../src/plan/select.ts'

export interface Member {
  readonly node: string
  readonly zone: string
}

/** Nodes in zones of the given sizes, zone `z0` first. */
export function fleetOf(sizes: readonly number[], prefix = 'node'): readonly Member[] {
  return sizes.flatMap((size, z) =>
    Array.from({ length: size }, (_, i) => ({ node: `${prefix}-${z}-${i}`, zone: `z${z}` })),
  )
}

/** Fleets of up to four zones and some 60 nodes, with names of all kinds. */
export const fleets: fc.Arbitrary<readonly Member[]> = fc
  .uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.nat(9)), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 60,
  })
  // Ten draws onto four zones, so that zones differ in size.
  .map((all) => all.map(([node, draw]) => ({ node, zone: `z${[0, 0, 0, 0, 0, 1, 1, 1, 2, 3][draw] ?? 0}` })))

/** Every edge, `source>destination`, as the agents choose them, each for itself. */
export function lastingEdges(nodes: readonly Member[], perZone: number): ReadonlySet<string> {
  const edges = new Set<string>()
  for (const self of nodes) {
    const { sameZone, otherZones } = selectPeers({ self, nodes, perZone, rotating: 0, epoch: 0 })
    for (const peer of [...sameZone, ...otherZones]) edges.add(edge(self.node, peer))
  }
  return edges
}

/** The same set, with what all agents of a zone compute alike done once: for large fleets. */
export function lastingEdgesAtOnce(nodes: readonly Member[], perZone: number): ReadonlySet<string> {
  const rings = [...namesByZone(nodes).values()].map(ringOf)
  const edges = new Set<string>()
  for (const from of rings) {
    for (const to of rings) {
      const owners = from === to ? undefined : coverZone(from, to, perZone)
      for (const [i, name] of from.names.entries()) {
        const chosen =
          owners === undefined ? successors(to, name, perZone) : chooseAcross(from, to, owners, i, perZone)
        for (const peer of chosen) edges.add(edge(name, peer))
      }
    }
  }
  return edges
}

export function namesByZone(nodes: readonly Member[]): ReadonlyMap<string, readonly string[]> {
  const zones = new Map<string, string[]>()
  for (const { node, zone } of nodes) zones.set(zone, [...(zones.get(zone) ?? []), node])
  return zones
}

export function edge(from: string, to: string): string {
  return JSON.stringify([from, to])
}

/** Edges that are in only one of the sets, as a share of the first: a moved edge counts twice. */
export function changedShare(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  return before.symmetricDifference(after).size / before.size
}
