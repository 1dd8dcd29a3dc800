import { describe, expect, test } from 'vitest'
import { configJson, problemsJson } from '../../../src/commands/check-config/config-json.ts'
import { type ConfigReport, reportOn } from '../../../src/commands/check-config/config-report.ts'
import { configText } from '../../../src/commands/check-config/config-text.ts'
import { parseConfig } from '../../../src/config/load.ts'

const FILE = 'pathmeter.yaml'
const TEXT = `version: 1
node: { name: n1, zone: zone-a }
sites: [{ name: dc1, nodes: "onprem-*" }]
peers:
  perZone: 1
  rotating: 0
  static:
    - { node: n2, zone: zone-b, address: 10.0.0.2 }
    - { node: n3, zone: zone-b, address: 10.0.0.3, ports: { tcp: 9703 } }
    - { node: onprem-1, address: 10.8.0.1, ports: { tcp: 9703 } }
`

function report(
  text = TEXT,
  ...fleet: Parameters<typeof reportOn> extends [unknown, ...infer Rest] ? Rest : never
): ConfigReport {
  const loaded = parseConfig(text, { variables: {}, hostname: 'machine-1' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return reportOn(loaded.config, ...fleet)
}

describe('report on a configuration', () => {
  test('says whom the agent would probe, and how often', () => {
    const { self, peers, probed, lines, rate, loopbackRate } = report()
    expect(self).toMatchObject({ node: 'n1', zone: 'zone-a' })
    expect(peers).toBe(3)
    expect(probed).toEqual(['n2', 'n3', 'onprem-1'])
    expect(lines).toEqual([
      { kind: 'tcp', connection: 'new', every: 1, limit: 8, checks: 3, rate: 3 },
      { kind: 'http', connection: 'reused', every: 4, limit: 8, checks: 1, rate: 1 / 4 },
      { kind: 'http', connection: 'new', every: 15, limit: 8, checks: 1, rate: 1 / 15 },
    ])
    expect(rate).toBeCloseTo(lines.reduce((sum, line) => sum + line.rate, 0))
    expect(loopbackRate).toBeCloseTo(1 + 1 / 4 + 1 / 15)
  })

  test('halves the rates where the configuration does', () => {
    const { lines } = report(`${TEXT}probes: { rate: low }\n`)
    expect(lines[0]).toMatchObject({ every: 2, rate: 1.5 })
  })

  test('expects a fleet only when its size is given', () => {
    expect(report().fleet).toBeUndefined()
    expect(report(TEXT, { nodes: 9, zones: 3 }).fleet).toMatchObject({
      nodes: 9,
      zones: 3,
      rates: { stretch: 1 },
    })
  })
})

describe('valid configuration for people', () => {
  test('is a table of what it comes to', () => {
    const given: ConfigReport = {
      ...report(),
      probed: ['n2', 'onprem-1'],
      lines: [{ kind: 'tcp', connection: 'new', every: 0.5, limit: 8, checks: 2, rate: 4 }],
      rate: 4,
      loopbackRate: 2,
    }
    expect(configText(FILE, given).split('\n')).toEqual([
      'pathmeter.yaml is valid',
      '',
      'node   n1 in zone-a',
      'peers  3 listed, 2 probed from here: n2, onprem-1',
      '',
      'PROBE  CONNECTION  EVERY  LIMIT  PATHS  PER SECOND',
      'tcp    new         500ms     8s      2           4',
      '',
      '4 attempts per second to peers and 2 over loopback, of 100 allowed',
      '',
    ])
  })

  test('names the site of an on-prem node, and cuts a long list', () => {
    const probed = Array.from({ length: 8 }, (_, i) => `n${i}`)
    const text = configText(FILE, { ...report(), self: { node: 'o1', zone: 'z', site: 'dc1' }, probed })
    expect(text).toContain('node   o1 in z at dc1\n')
    expect(text).toContain('8 probed from here: n0, n1, n2, n3, n4, n5 and 2 more\n')
  })

  test('has the rates of a fleet, and says where the cap stretches them', () => {
    const calm = configText(FILE, report(TEXT, { nodes: 9, zones: 3 }))
    expect(calm).toMatch(/^A fleet of 9 nodes in 3 zones: attempts per second, on average$/m)
    expect(calm).toMatch(/^PROBE {2}CONNECTION {2}EVERY {2}AT EACH NODE {2}IN THE FLEET$/m)
    expect(calm).toMatch(/^each node probes 3 peers, and starts [\d.]+ attempts per second$/m)
    expect(calm).not.toContain('times as long')
    const busy = report(`${TEXT}probes: { tcp: { every: 100ms } }\n`.replace('perZone: 1', 'perZone: 20'), {
      nodes: 200,
      zones: 3,
    })
    expect(configText(FILE, busy)).toMatch(
      /^intervals are \d+\.\d\d times as long, to stay within 100 attempts/m,
    )
  })
})

describe('check-config document', () => {
  test('of a valid file has what the text has', () => {
    const document = configJson(FILE, report(TEXT, { nodes: 9, zones: 3 }))
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({
      apiVersion: 'v1',
      file: FILE,
      valid: true,
      node: 'n1',
      zone: 'zone-a',
      peers: 3,
      probes: expect.arrayContaining([
        {
          probe: 'tcp',
          connection: 'new',
          every_seconds: 1,
          limit_seconds: 8,
          paths: 3,
          attempts_per_second: 3,
        },
      ]),
      attempts_per_second_allowed: 100,
      fleet: { nodes: 9, zones: 3, peers_per_node: 3, stretch: 1 },
    })
  })

  test('of a file with problems has them all', () => {
    const problems = [{ path: 'peer', message: 'is no known key, did you mean "peers"?' }]
    expect(problemsJson(FILE, problems)).toEqual({ apiVersion: 'v1', file: FILE, valid: false, problems })
  })
})
