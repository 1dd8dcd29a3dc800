import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { boundaryOf, type OtherEnd, ownPlace, placeOf, siteRules } from '../../src/discovery/topology.ts'
import type { Place } from '../../src/model/path.ts'

function rules(sites: string) {
  const text = `version: 1\npeers: { static: [{ node: n2, address: 10.0.0.2 }] }\nsites: ${sites}\n`
  const loaded = parseConfig(text, { variables: {}, hostname: 'n1' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return siteRules(loaded.config.sites)
}

function at(address: string) {
  return [{ address }]
}

describe('the place of a peer', () => {
  const sites = rules(`
  - { name: dc1, nodes: "onprem-*", cidrs: ["10.8.0.0/16", "fd08::/32"], zones: [rack-1] }
  - { name: dc2, nodes: "edge-?", cidrs: ["10.8.9.0/24", "10.9.0.0/16"] }`)

  test.each([
    ['its name', { node: 'onprem-7', addresses: at('192.0.2.1') }, 'dc1'],
    ['its zone', { node: 'n5', zone: 'rack-1', addresses: at('192.0.2.1') }, 'dc1'],
    ['its IPv4 address', { node: 'n5', addresses: at('10.8.255.1') }, 'dc1'],
    ['its IPv6 address', { node: 'n5', addresses: at('fd08:0:1::1') }, 'dc1'],
    ['an IPv4 address in IPv6 notation', { node: 'n5', addresses: at('::ffff:10.9.0.1') }, 'dc2'],
    ['its second address', { node: 'n5', addresses: [...at('fd00::1'), ...at('10.9.0.1')] }, 'dc2'],
    ['the first site of two that match', { node: 'edge-1', addresses: at('10.8.9.1') }, 'dc1'],
    ['one character for a question mark', { node: 'edge-1', addresses: [] }, 'dc2'],
    ['nothing: two for one', { node: 'edge-12', addresses: [] }, undefined],
    ['nothing: the pattern in the middle', { node: 'not-onprem-7', addresses: [] }, undefined],
    ['nothing: the neighbour network', { node: 'n5', zone: 'rack-2', addresses: at('10.10.0.1') }, undefined],
  ])('has a site by %s', (_by, peer, site) => {
    expect(placeOf({ zone: undefined, ...peer }, sites).site).toBe(site)
  })

  test('has its own zone before the name of its site', () => {
    const peer = { node: 'onprem-7', zone: 'rack-9', addresses: [] }
    expect(placeOf(peer, sites)).toEqual({ node: 'onprem-7', zone: 'rack-9', site: 'dc1' })
  })

  test('has the name of its site for a zone when nothing else is known', () => {
    const peer = { node: 'onprem-7', zone: undefined, addresses: [] }
    expect(placeOf(peer, sites)).toEqual({ node: 'onprem-7', zone: 'dc1', site: 'dc1' })
  })

  test('has an unknown zone without zone and site', () => {
    expect(placeOf({ node: 'n5', zone: undefined, addresses: at('192.0.2.1') }, sites)).toEqual({
      node: 'n5',
      zone: 'unknown',
    })
  })

  test('takes a dot in a pattern for a dot', () => {
    const dotted = rules('[{ name: dc1, nodes: "*.dc1" }]')
    const siteOf = (node: string) => placeOf({ node, zone: undefined, addresses: [] }, dotted).site
    expect(siteOf('a.dc1')).toBe('dc1')
    expect(siteOf('a-dc1')).toBeUndefined()
  })

  test('is found for this agent in the same way', () => {
    expect(ownPlace({ name: 'n1', podIp: '10.9.0.1' }, sites)).toEqual({
      node: 'n1',
      zone: 'dc2',
      site: 'dc2',
    })
    expect(ownPlace({ name: 'n1', zone: 'zone-a' }, sites)).toEqual({ node: 'n1', zone: 'zone-a' })
  })
})

describe('the boundary between this agent and another end', () => {
  const a: Place = { node: 'n1', zone: 'zone-a' }
  const b: Place = { node: 'n2', zone: 'zone-b' }
  const dc1: Place = { node: 'o1', zone: 'dc1', site: 'dc1' }
  const lost: Place = { node: 'x1', zone: 'unknown' }

  test.each<[string, Place, Place, OtherEnd, string]>([
    ['itself', a, a, 'self', 'loopback'],
    ['a responder on its node', a, a, 'responder', 'same_node'],
    ['a node of its zone', a, { ...a, node: 'n9' }, 'responder', 'same_zone'],
    ['a node of another zone', a, b, 'responder', 'cross_zone'],
    ['a node in a site', a, dc1, 'responder', 'on_prem'],
    ['a node outside its own site', dc1, a, 'responder', 'on_prem'],
    ['a node of another site', dc1, { node: 'p1', zone: 'dc2', site: 'dc2' }, 'responder', 'on_prem'],
    ['a node of its site', dc1, { ...dc1, node: 'o2' }, 'responder', 'same_zone'],
    ['another rack of its site', dc1, { node: 'o2', zone: 'rack-2', site: 'dc1' }, 'responder', 'cross_zone'],
    ['a zone of the same name in a site', { ...a, zone: 'dc1' }, dc1, 'responder', 'on_prem'],
    ['a node without a zone', a, lost, 'responder', 'cross_zone'],
    ['a node with a zone from one without', lost, a, 'responder', 'cross_zone'],
    ['a node in a cluster without zones', lost, { ...lost, node: 'x2' }, 'responder', 'same_zone'],
    ['a target', a, { node: 'erp-db', zone: 'unknown' }, 'target', 'external'],
    [
      'a target from a cluster without zones',
      lost,
      { node: 'erp-db', zone: 'unknown' },
      'target',
      'external',
    ],
    ['a target in a site', a, { node: 'erp-db', zone: 'dc1', site: 'dc1' }, 'target', 'on_prem'],
    ['a target in its own site', dc1, { node: 'erp-db', zone: 'dc1', site: 'dc1' }, 'target', 'same_zone'],
    ['a target named like its node', dc1, { ...dc1, zone: 'rack-2' }, 'target', 'cross_zone'],
  ])('to %s', (_to, self, other, end, boundary) => {
    expect(boundaryOf(self, other, end)).toBe(boundary)
  })

  test('is the same from both sides', () => {
    const place = fc.record({
      node: fc.constantFrom('n1', 'n2', 'n3'),
      zone: fc.constantFrom('zone-a', 'zone-b', 'unknown'),
      site: fc.option(fc.constantFrom('dc1', 'dc2'), { nil: undefined }),
    })
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(boundaryOf(one, other, 'responder')).toBe(boundaryOf(other, one, 'responder'))
      }),
    )
  })
})
