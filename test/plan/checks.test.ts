import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkId } from '../../src/plan/check-id.ts'
import { planChecks } from '../../src/plan/checks.ts'
import { plannedPeer, sections, self } from './sample.ts'

const base = { self, sections, rate: 'normal' } as const

test('plan makes one check for each way of measuring a peer', () => {
  const checks = planChecks({ ...base, peers: [plannedPeer('n2')] })
  const target = {
    identity: 'n2',
    zone: 'zone-b',
    boundary: 'cross_zone',
    via: 'pod',
    address: '10.0.0.2',
    family: 4,
    expectNode: 'n2',
    rotating: false,
  }
  expect(checks.map(({ id: _, options: __, ...check }) => check)).toEqual([
    { target: { ...target, port: 9711 }, kind: 'http', connection: 'new', every: 15, limit: 8, overlap: 1 },
    { target: { ...target, port: 9711 }, kind: 'http', connection: 'reused', every: 4, limit: 8, overlap: 1 },
    { target: { ...target, port: 9713 }, kind: 'tcp', connection: 'new', every: 1, limit: 8, overlap: 9 },
  ])
})

test('plan makes a check of its own for each address family', () => {
  const both = [
    { address: '10.0.0.2', family: 4 },
    { address: 'fd00::2', family: 6 },
  ] as const
  const checks = planChecks({
    ...base,
    peers: [plannedPeer('n2', { addresses: both, ports: { tcp: 9713 } })],
  })
  expect(checks.map(({ target }) => [target.address, target.family])).toEqual([
    ['10.0.0.2', 4],
    ['fd00::2', 6],
  ])
  expect(new Set(checks.map(({ id }) => id)).size).toBe(2)
})

test('plan makes no check of a kind that the peer does not listen for', () => {
  const checks = planChecks({ ...base, peers: [plannedPeer('n2', { ports: { tcp: 9713 } })] })
  expect(checks.map(({ kind }) => kind)).toEqual(['tcp'])
  expect(planChecks({ ...base, peers: [plannedPeer('n2', { ports: {} })] })).toEqual([])
})

test('plan measures the agent itself over loopback', () => {
  const loopback = { address: { address: '::1', family: 6 }, ports: { tcp: 9703 } } as const
  const [check] = planChecks({ ...base, peers: [], loopback })
  expect(check?.target).toEqual({
    identity: 'n1',
    zone: 'zone-a',
    boundary: 'loopback',
    via: 'pod',
    address: '::1',
    port: 9703,
    family: 6,
    expectNode: 'n1',
    rotating: false,
  })
})

test('low rate doubles every interval, and new connections overlap accordingly', () => {
  const checks = planChecks({ ...base, peers: [plannedPeer('n2')], rate: 'low' })
  expect(checks.map(({ every, limit, overlap }) => [every, limit, overlap])).toEqual([
    [30, 8, 1],
    [8, 8, 1],
    [2, 8, 5],
  ])
})

test('a rotating peer is measured by every kind, by checks that are marked and are not those of a lasting peer', () => {
  const lasting = planChecks({ ...base, peers: [plannedPeer('n2')] })
  const rotating = planChecks({ ...base, peers: [plannedPeer('n2', { rotating: true })] })
  expect(rotating.map(({ kind, connection }) => [kind, connection])).toEqual(
    lasting.map(({ kind, connection }) => [kind, connection]),
  )
  expect(rotating.every(({ target }) => target.rotating)).toBe(true)
  expect(new Set([...lasting, ...rotating].map(({ id }) => id)).size).toBe(6)
})

test('plan does not depend on the order of the peers, and gives every check an id of its own', () => {
  const peers = Array.from({ length: 9 }, (_, i) => plannedPeer(`p${i}`, { rotating: i === 8 }))
  const expected = planChecks({ ...base, peers })
  expect(new Set(expected.map(({ id }) => id)).size).toBe(27)
  expect(expected.map(({ target }) => target.identity)).toEqual(
    peers.flatMap(({ peer: { node } }) => [node, node, node]),
  )
  fc.assert(
    fc.property(fc.shuffledSubarray(peers, { minLength: peers.length }), (shuffled) => {
      expect(planChecks({ ...base, peers: shuffled })).toEqual(expected)
    }),
  )
})

test('a peer that returns elsewhere keeps its ids, whatever its address, ports, zone and intervals', () => {
  const before = planChecks({ ...base, peers: [plannedPeer('n2')] })
  const moved = plannedPeer('n2', {
    zone: 'zone-c',
    boundary: 'on_prem',
    addresses: [{ address: '10.9.9.9', family: 4 }],
    ports: { http: 1, tcp: 2 },
  })
  const slower = { tcp: { every: 2, limit: 3 }, http: { reused: { every: 9 }, new: { every: 20 }, limit: 3 } }
  const after = planChecks({ self, peers: [moved], sections: slower, rate: 'low' })
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('check id differs by destination, family, via, kind, connection and options', () => {
  const target = { identity: 'n2', family: 4, via: 'pod', rotating: false } as const
  const identity = { target, kind: 'tcp', connection: 'new', options: { size: 1 } } as const
  const others = [
    { ...identity, target: { ...target, identity: 'n3' } },
    { ...identity, target: { ...target, family: 6 } },
    { ...identity, target: { ...target, via: 'host' } },
    { ...identity, kind: 'http' },
    { ...identity, connection: 'held' },
    { ...identity, options: { size: 2 } },
  ] as const
  expect(new Set([identity, ...others].map(checkId)).size).toBe(7)
})

test('check id is the same in every process, and whatever the order of the keys of its options', () => {
  const target = { identity: 'n2', family: 4, via: 'pod', rotating: false } as const
  const id = checkId({ target, kind: 'http', connection: 'new', options: { a: 1, b: { c: [2], d: 3 } } })
  expect(checkId({ target, kind: 'http', connection: 'new', options: { b: { d: 3, c: [2] }, a: 1 } })).toBe(
    id,
  )
  expect(id).toBe('94d8b1dcadbc04c0')
})
