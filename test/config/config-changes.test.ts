import { describe, expect, test } from 'vitest'
import { configChanges } from '../../src/config/config-changes.ts'
import { parseConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/schema.ts'

function parse(more = '', peers = '{ node: n2, address: 10.0.0.2 }'): Config {
  const loaded = parseConfig(`version: 1\npeers: { static: [${peers}], perZone: 2 }\n${more}`, {
    variables: {},
    hostname: 'n1',
  })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

describe('the changes between two configurations', () => {
  test('are none when only the spelling differs', () => {
    const next = parse('probes: { tcp: { every: 1000ms } }\nlog:\nweb: { listen: ":09700" }\n')
    expect(configChanges(parse(), next)).toEqual({ effective: parse(), applied: [], needsRestart: [] })
  })

  test.each([
    ['sites: [{ name: dc1, zones: [a] }]', 'sites'],
    ['probes: { tcp: { limit: 4s } }', 'probes.tcp.limit'],
    ['probes: { http: { reused: { every: 2s } } }', 'probes.http.reused.every'],
    ['probes: { rate: low }', 'probes.rate'],
    ['log: { level: debug }', 'log.level'],
  ])('are applied at once for %s', (more, key) => {
    const next = parse(more)
    expect(configChanges(parse(), next)).toEqual({ effective: next, applied: [key], needsRestart: [] })
  })

  test('are applied at once for a peer that comes', () => {
    const next = parse('', '{ node: n2, address: 10.0.0.2 }, { node: n3, address: 10.0.0.3 }')
    expect(configChanges(parse(), next)).toMatchObject({ applied: ['peers.static'], needsRestart: [] })
  })

  test.each([
    ['node: { name: n9 }', 'node.name'],
    ['node: { zone: zone-z }', 'node.zone'],
    ['web: { listen: ":9799" }', 'web.listen'],
    ['respond: { http: ":9801" }', 'respond.http'],
    ['respond: { tcp: ":9803" }', 'respond.tcp'],
    ['respond: { prefix: /other }', 'respond.prefix'],
    ['respond: { limits: { hold: 1h } }', 'respond.limits.hold'],
    ['drain: 5s', 'drain'],
    ['metrics: { detail: minimal }', 'metrics.detail'],
  ])('wait for a restart for %s', (more, key) => {
    expect(configChanges(parse(), parse(more))).toEqual({
      effective: parse(),
      applied: [],
      needsRestart: [key],
    })
  })

  test('are parted into both', () => {
    const { effective, applied, needsRestart } = configChanges(
      parse(),
      parse('log: { level: warn }\nrespond: { tcp: ":9803" }\nprobes: { rate: low }\n'),
    )
    expect(applied).toEqual(['probes.rate', 'log.level'])
    expect(needsRestart).toEqual(['respond.tcp'])
    expect(effective).toEqual(parse('log: { level: warn }\nprobes: { rate: low }\n'))
  })

  test('still wait when a later file changes something else, and no more once taken back', () => {
    const waiting = configChanges(parse(), parse('drain: 5s')).effective
    expect(configChanges(waiting, parse('drain: 5s\nprobes: { rate: low }'))).toMatchObject({
      applied: ['probes.rate'],
      needsRestart: ['drain'],
    })
    expect(configChanges(waiting, parse())).toMatchObject({ applied: [], needsRestart: [] })
  })
})
