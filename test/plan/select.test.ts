import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectPeers } from '../../src/plan/select.ts'
import {
  changedShare,
  edge,
  fleetOf,
  fleets,
  lastingEdges,
  lastingEdgesAtOnce,
  type Member,
  namesByZone,
} from './fleet.ts'

const perZones = fc.integer({ min: 1, max: 4 })
const runs = { numRuns: 60 }

test('inside a zone each node probes k others and is probed by k', () => {
  fc.assert(
    fc.property(fleets, perZones, (nodes, perZone) => {
      const edges = lastingEdges(nodes, perZone)
      for (const names of namesByZone(nodes).values()) {
        const expected = Math.min(perZone, names.length - 1)
        for (const name of names) {
          expect(names.filter((other) => edges.has(edge(name, other))).length).toBe(expected)
          expect(names.filter((other) => edges.has(edge(other, name))).length).toBe(expected)
        }
      }
    }),
    runs,
  )
})

test('between zones each node probes k, and at most ceil(|D| / |S|) or 2k where the other zone is larger', () => {
  fc.assert(
    fc.property(fleets, perZones, (nodes, perZone) => {
      const edges = lastingEdges(nodes, perZone)
      eachZonePair(nodes, (sources, destinations) => {
        const least = Math.min(perZone, destinations.length)
        const most = Math.max(least, Math.min(Math.ceil(destinations.length / sources.length), 2 * perZone))
        for (const name of sources) {
          const out = destinations.filter((other) => edges.has(edge(name, other))).length
          expect(out).toBeGreaterThanOrEqual(least)
          expect(out).toBeLessThanOrEqual(most)
        }
      })
    }),
    runs,
  )
})

test('between zones every node is probed where the cap of 2k allows it, and otherwise the cap is used up', () => {
  fc.assert(
    fc.property(fleets, perZones, (nodes, perZone) => {
      const edges = lastingEdges(nodes, perZone)
      eachZonePair(nodes, (sources, destinations) => {
        const probed = destinations.filter((name) => sources.some((source) => edges.has(edge(source, name))))
        expect(probed.length).toBe(Math.min(destinations.length, 2 * perZone * sources.length))
      })
    }),
    runs,
  )
})

test('between zones no edge is spent beyond k that coverage does not need', () => {
  const edges = lastingEdgesAtOnce(fleetOf([12, 40]), 3)
  const across = [...edges].filter((text) => text.startsWith('["node-0-') && text.includes('"node-1-'))
  expect(across.length).toBe(40)
})

test('selection depends neither on the order of the nodes nor on whether the own node is among them', () => {
  fc.assert(
    fc.property(
      fleets,
      perZones,
      fc.nat(5),
      fc.infiniteStream(fc.nat()),
      (nodes, perZone, rotating, draws) => {
        const self = nodes[0] ?? { node: 'n1', zone: 'z0' }
        const select = (known: readonly Member[]) =>
          selectPeers({ self, nodes: known, perZone, rotating, epoch: 7 })
        const shuffled = nodes
          .map((node) => ({ node, at: draws.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ node }) => node)
        expect(select(shuffled)).toEqual(select(nodes))
        expect(select(shuffled.filter(({ node }) => node !== self.node))).toEqual(select(nodes))
      },
    ),
    runs,
  )
})

test('what is computed once for a zone is what each of its agents computes for itself', () => {
  fc.assert(
    fc.property(fleets, perZones, (nodes, perZone) => {
      expect([...lastingEdgesAtOnce(nodes, perZone)].sort()).toEqual([...lastingEdges(nodes, perZone)].sort())
    }),
    runs,
  )
})

const alike = [
  [1000],
  [500, 500],
  [334, 333, 333],
  [340, 340, 320],
  [400, 350, 250],
  Array<number>(10).fill(100),
]

test.for(alike.map((sizes) => ({ sizes })))(
  'at 1,000 nodes in zones of like size ($sizes) a node that comes or goes changes at most 1 % of the edges',
  ({ sizes }) => {
    for (const share of changes(sizes, 3)) expect(share).toBeLessThanOrEqual(0.01)
  },
)

// A node of a small zone is probed by many of a large one (27 of 900, for one of 100), and when it goes each of them
// turns to another. Where a zone is larger by just a whole factor up to 2k, every owner is full, and the passes
// displace the most.
const uneven = [
  { sizes: [750, 250], perZone: 3, bound: 0.02 },
  { sizes: [800, 200], perZone: 3, bound: 0.02 },
  { sizes: [900, 100], perZone: 3, bound: 0.03 },
  { sizes: [600, 300, 100], perZone: 3, bound: 0.02 },
  { sizes: [334, 333, 333], perZone: 1, bound: 0.02 },
  { sizes: [334, 333, 333], perZone: 2, bound: 0.01 },
]

test.for(uneven)(
  'with zones of $sizes and $perZone per zone a node changes at most a share of $bound',
  ({ sizes, perZone, bound }) => {
    for (const share of changes(sizes, perZone)) expect(share).toBeLessThanOrEqual(bound)
  },
)

test('between zones of equal size the probes that arrive are spread: none gets five times its share', () => {
  const arriving = new Map<string, number>()
  for (const text of lastingEdgesAtOnce(fleetOf([500, 500]), 3)) {
    const [, to] = JSON.parse(text) as [string, string]
    arriving.set(to, (arriving.get(to) ?? 0) + 1)
  }
  expect(arriving.size).toBe(1000)
  expect(Math.min(...arriving.values())).toBeGreaterThanOrEqual(4)
  expect(Math.max(...arriving.values())).toBeLessThan(3 + 5 * 3)
})

test('a lone node probes nobody', () => {
  const self = { node: 'n1', zone: 'z' }
  for (const nodes of [[], [self]]) {
    const selection = selectPeers({ self, nodes, perZone: 3, rotating: 1, epoch: 0 })
    expect(selection).toEqual({ sameZone: [], otherZones: [], rotating: [], why: new Map() })
  }
})

test('two nodes of a zone probe each other', () => {
  const nodes = fleetOf([2])
  expect([...lastingEdges(nodes, 3)].sort()).toEqual([
    edge('node-0-0', 'node-0-1'),
    edge('node-0-1', 'node-0-0'),
  ])
})

test('a zone of a single node probes and is probed, whatever the zone is called', () => {
  const nodes = [...fleetOf([5]), { node: 'far', zone: 'dc1' }, { node: 'stray', zone: 'unknown' }]
  const edges = lastingEdges(nodes, 3)
  for (const lone of ['far', 'stray']) {
    for (const { node } of nodes) if (node.startsWith('node')) expect(edges).toContain(edge(node, lone))
    // Six is the cap of 2k, and five is all there is.
    expect(nodes.filter(({ node }) => node.startsWith('node') && edges.has(edge(lone, node))).length).toBe(5)
  }
  expect(edges).toContain(edge('far', 'stray'))
  expect(edges).toContain(edge('stray', 'far'))
})

test('the reasons name zone, number and the end of the rotation', () => {
  const nodes = fleetOf([6, 9])
  const self = nodes[0] ?? { node: '', zone: '' }
  // Epoch 75 is the rotation from 12:30 to 12:40 of the first day.
  const { sameZone, otherZones, rotating, why } = selectPeers({
    self,
    nodes,
    perZone: 2,
    rotating: 1,
    epoch: 75,
  })
  expect(why.size).toBe(14)
  expect([sameZone.length, otherZones.length, rotating.length]).toEqual([2, 2, 1])
  for (const node of sameZone) expect(why.get(node)).toBe('one of 2 in z0')
  for (const node of otherZones) expect(why.get(node)).toBe('one of 2 in z1')
  for (const node of rotating) expect(why.get(node)).toBe('rotating peer until 12:40 UTC')
  const rest = [...why].filter(([node]) => ![...sameZone, ...otherZones, ...rotating].includes(node))
  expect(rest.length).toBe(9)
  for (const [node, reason] of rest) expect(reason).toBe(`not among the 2 of z${node.slice(5, 6)}`)
})

test('the rotating peer is one of those that are not probed anyway', () => {
  fc.assert(
    fc.property(fleets, perZones, fc.nat(1000), (nodes, perZone, epoch) => {
      const self = nodes[0] ?? { node: 'n1', zone: 'z0' }
      const selection = selectPeers({ self, nodes, perZone, rotating: 1, epoch })
      const lasting = [...selection.sameZone, ...selection.otherZones]
      expect(selection.rotating.length).toBe(Math.min(1, nodes.length - 1 - lasting.length))
      for (const node of selection.rotating) expect([...lasting, self.node]).not.toContain(node)
    }),
    runs,
  )
})

function eachZonePair(
  nodes: readonly Member[],
  check: (sources: readonly string[], destinations: readonly string[]) => void,
): void {
  const zones = [...namesByZone(nodes).values()]
  for (const from of zones) for (const to of zones) if (from !== to) check(from, to)
}

/** Shares of edges that change when one node goes, or one joins its zone: for nodes of several zones. */
function changes(sizes: readonly number[], perZone: number): readonly number[] {
  const nodes = fleetOf(sizes)
  const before = lastingEdgesAtOnce(nodes, perZone)
  return [0, 503, nodes.length - 1].flatMap((index) => {
    const without = nodes.filter((_, i) => i !== index)
    const more = [...nodes, { node: `newcomer-${index}`, zone: nodes[index]?.zone ?? '' }]
    return [without, more].map((after) => changedShare(before, lastingEdgesAtOnce(after, perZone)))
  })
}
