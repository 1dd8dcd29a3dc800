import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgesAcross, fleetRates } from '../../src/plan/fleet-rates.ts'
import { fleetOf, lastingEdgesAtOnce } from './fleet.ts'
import { sections } from './sample.ts'

const defaults = { perZone: 3, rotating: 1, sections, rate: 'normal' } as const

test('a fleet of 90 nodes at the defaults: ten peers each, and what they send each other', () => {
  const rates = fleetRates({ ...defaults, nodes: 90 })
  expect(rates.peersPerNode).toBe(10)
  expect(rates.stretch).toBe(1)
  const rows = rates.rows.map(({ kind, connection, every, towardsEachPeer, fleet }) => [
    `${kind} ${connection}`,
    every,
    round(towardsEachPeer),
    round(fleet),
  ])
  expect(rows).toEqual([
    ['tcp new', 1, 10, 900],
    ['http reused', 4, 2.5, 225],
    ['http new', 15, 0.667, 60],
  ])
  expect(round(rates.towardsEachPeer)).toBe(13.167)
  expect(round(rates.fleet)).toBe(1185)
  // Eleven times what one peer gets: the loopback counts, and is no peer.
  expect(round(rates.startedByEachNode)).toBe(14.483)
})

test('the number of peers is what the agents choose, on average', () => {
  const shapes = fc.record({
    nodes: fc.integer({ min: 1, max: 60 }),
    zones: fc.integer({ min: 1, max: 6 }),
    perZone: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(shapes, ({ nodes, zones, perZone }) => {
      const sizes = Array.from({ length: zones }, (_, i) => Math.floor((nodes + i) / zones))
      const edges = lastingEdgesAtOnce(fleetOf(sizes), perZone).size
      const { peersPerNode } = fleetRates({ ...defaults, nodes, zones, perZone, rotating: 0 })
      expect(peersPerNode).toBeCloseTo(edges / nodes, 9)
    }),
  )
})

test('edges between zones of any sizes are those the agents choose', () => {
  const size = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(size, size, fc.integer({ min: 1, max: 4 }), (from, to, perZone) => {
      const inside = (nodes: number) => nodes * Math.min(perZone, nodes - 1)
      const across = edgesAcross(from, to, perZone) + edgesAcross(to, from, perZone)
      expect(lastingEdgesAtOnce(fleetOf([from, to]), perZone).size).toBe(inside(from) + inside(to) + across)
    }),
  )
})

test('a lone node has no peers, and starts only what goes to itself', () => {
  const rates = fleetRates({ ...defaults, nodes: 1 })
  expect([rates.peersPerNode, rates.towardsEachPeer, rates.fleet]).toEqual([0, 0, 0])
  expect(round(rates.startedByEachNode)).toBe(round(1 + 1 / 4 + 1 / 15))
})

test('low rate halves what arrives, and a second family doubles it', () => {
  const { towardsEachPeer } = fleetRates({ ...defaults, nodes: 30 })
  expect(fleetRates({ ...defaults, nodes: 30, rate: 'low' }).towardsEachPeer).toBeCloseTo(
    towardsEachPeer / 2,
    9,
  )
  expect(fleetRates({ ...defaults, nodes: 30, families: 2 }).towardsEachPeer).toBeCloseTo(
    towardsEachPeer * 2,
    9,
  )
})

test('above the cap all intervals are stretched, and no node starts more than 100 attempts per second', () => {
  const rates = fleetRates({ ...defaults, nodes: 300, perZone: 40 })
  expect(rates.startedByEachNode).toBeCloseTo(100, 9)
  expect(rates.stretch).toBeGreaterThan(1)
  for (const row of rates.rows) expect(row.towardsEachPeer).toBeCloseTo(rates.peersPerNode / row.every, 9)
  expect(rates.rows[0]?.every).toBeCloseTo(rates.stretch, 9)
})

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
