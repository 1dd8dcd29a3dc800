import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Environment } from '../../src/config/identity.ts'
import { loadConfig, parseConfig } from '../../src/config/load.ts'
import { MAX_BYTES } from '../../src/config/read-yaml.ts'
import type { Config } from '../../src/config/schema.ts'

const examples = join(import.meta.dirname, 'valid')
const minimal = 'version: 1\npeers: { static: [{ node: n2, address: 10.0.0.2 }] }\n'

function environment(variables: Environment['variables'] = {}): Environment {
  return { variables, hostname: 'host-1' }
}

function parse(text: string, variables: Environment['variables'] = {}): Config {
  const loaded = parseConfig(text, environment(variables))
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

async function load(example: string): Promise<Config> {
  const loaded = await loadConfig(join(examples, example), environment())
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

const defaults = {
  version: 1,
  sites: [],
  probes: {
    tcp: { every: 1, limit: 8 },
    http: { reused: { every: 4 }, new: { every: 15 }, limit: 8 },
    rate: 'normal',
  },
  web: { listen: { host: '', port: 9700 } },
  respond: {
    http: { host: '', port: 9701 },
    tcp: { host: '', port: 9703 },
    prefix: '/pathmeter',
    limits: { connections: 2000, perSource: 200, perAddress: 1000, hold: 7200, bytesPerSecond: 8_388_608 },
  },
  drain: 15,
  log: { level: 'info' },
  metrics: { detail: 'full' },
}

describe('loading a configuration', () => {
  test('fills in everything but who the peers are', async () => {
    expect(await load('minimal.yaml')).toEqual({
      ...defaults,
      node: { name: 'host-1' },
      peers: {
        static: [{ node: 'n2', address: '10.0.0.2', ports: { http: 9701, tcp: 9703 } }],
        perZone: 3,
        rotating: 1,
      },
    })
  })

  test('takes a section without content for its defaults', async () => {
    const { node, peers, ...rest } = await load('empty-sections.yaml')
    expect(rest).toEqual(defaults)
    expect(peers.static[0]?.ports).toEqual({ http: 9701, tcp: 9703 })
  })

  test('decodes every key', async () => {
    expect(await load('full.yaml')).toEqual({
      version: 1,
      node: { name: 'n1', zone: 'zone-a' },
      sites: [
        {
          name: 'dc1',
          cidrs: [
            { address: '10.8.0.0', prefix: 16, family: 'ipv4' },
            { address: 'fd08::', prefix: 32, family: 'ipv6' },
          ],
          nodes: 'onprem-*',
          zones: ['rack-1'],
        },
        { name: 'dc2', cidrs: [], nodes: 'edge-??', zones: [] },
      ],
      peers: {
        static: [
          { node: 'n2', zone: 'zone-b', address: '10.0.0.2', ports: { http: 9711, tcp: 9713 } },
          { node: 'n3', zone: 'zone-c', address: 'fd00::3', ports: { tcp: 9713 } },
          { node: 'onprem-1', address: '10.8.0.5', ports: { http: 9701, tcp: 9703 } },
        ],
        perZone: 2,
        rotating: 0,
      },
      probes: {
        tcp: { every: 0.5, limit: 2.5 },
        http: { reused: { every: 2 }, new: { every: 30 }, limit: 4 },
        rate: 'low',
      },
      web: { listen: { host: '127.0.0.1', port: 9700 } },
      respond: {
        http: { host: '', port: 9801 },
        tcp: { host: '::1', port: 9803 },
        prefix: '/probes/net',
        limits: { connections: 500, perSource: 20, perAddress: 100, hold: 1800, bytesPerSecond: 1_000_000 },
      },
      drain: 0,
      log: { level: 'debug' },
      metrics: { detail: 'minimal' },
    })
  })

  test('keeps sections apart that share an anchor', async () => {
    const { probes, peers } = await load('anchors.yaml')
    expect(probes).toEqual({
      tcp: { every: 2, limit: 8 },
      http: { reused: { every: 2 }, new: { every: 2 }, limit: 8 },
      rate: 'normal',
    })
    expect(peers.static[1]?.ports).toEqual({ http: 9801, tcp: 9803 })
  })

  test('reads a port that is given alone as the only protocol', async () => {
    expect((await load('one-address.yaml')).peers.static[1]?.ports).toEqual({ http: 9721 })
  })

  test('gives two configurations no value in common', () => {
    const [one, other] = [parse(minimal), parse(minimal)]
    expect(one).toEqual(other)
    expect(one.respond.limits).not.toBe(other.respond.limits)
    expect(one.peers.static[0]?.ports).not.toBe(other.peers.static[0]?.ports)
  })
})

describe('who this agent is', () => {
  const named = `${minimal}node: { name: n1, zone: zone-a }\n`

  test('comes from the environment before the file', () => {
    const variables = {
      PATHMETER_NODE: 'n7',
      PATHMETER_ZONE: 'zone-z',
      PATHMETER_POD_IP: 'fd00::7',
      PATHMETER_NAMESPACE: 'monitoring',
    }
    expect(parse(named, variables).node).toEqual({
      name: 'n7',
      zone: 'zone-z',
      podIp: 'fd00::7',
      namespace: 'monitoring',
    })
  })

  test('comes from the file where the environment is silent or empty', () => {
    const node = parse(named, { PATHMETER_NODE: '', PATHMETER_ZONE: '', PATHMETER_POD_IP: '' }).node
    expect(node).toEqual({ name: 'n1', zone: 'zone-a' })
  })

  test('is the name of the machine where nothing says more', () => {
    expect(parse(minimal).node).toEqual({ name: 'host-1' })
  })

  test.each([
    ['PATHMETER_NODE', 'n 1', 'a name of at most 253 letters, digits, ".", "_" and "-"'],
    ['PATHMETER_ZONE', '-', 'a name of at most 253 letters, digits, ".", "_" and "-"'],
    ['PATHMETER_NAMESPACE', 'a/b', 'a name of at most 253 letters, digits, ".", "_" and "-"'],
    ['PATHMETER_POD_IP', '10.0.0', 'an IP address such as 10.8.0.5 or fd00::5'],
  ])('is refused when %s is "%s"', (variable, value, right) => {
    expect(parseConfig(named, environment({ [variable]: value }))).toEqual({
      problems: [{ path: variable, message: `must be ${right}, got "${value}"` }],
    })
  })

  test('is refused when only a host name is there that cannot be a node name', () => {
    expect(parseConfig(minimal, { variables: {}, hostname: 'ein host' })).toMatchObject({
      problems: [{ path: 'node.name', message: expect.stringContaining('the host name is "ein host"') }],
    })
  })

  test('is held against the peers also when the environment says it', () => {
    expect(parseConfig(named, environment({ PATHMETER_NODE: 'n2' }))).toEqual({
      problems: [{ path: 'peers.static', message: 'must list another node than this one, got "n2" alone' }],
    })
  })
})

describe('a configuration file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pathmeter-load-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('that is missing is a problem', async () => {
    expect(await loadConfig(join(folder, 'none.yaml'), environment())).toEqual({
      problems: [{ path: '', message: 'there is no such file' }],
    })
  })

  test('that is a directory is a problem', async () => {
    expect(await loadConfig(folder, environment())).toEqual({
      problems: [{ path: '', message: 'is a directory, must be a file' }],
    })
  })

  test('may be as large as a ConfigMap and no larger', async () => {
    const file = join(folder, 'large.yaml')
    const padded = `${minimal}#`.padEnd(MAX_BYTES, 'x')
    await writeFile(file, padded)
    expect(await loadConfig(file, environment())).toHaveProperty('config')
    await writeFile(file, `${padded}x`)
    expect(await loadConfig(file, environment())).toEqual({
      problems: [{ path: '', message: 'must be at most 1048576 bytes, is longer' }],
    })
  })

  test.each(['['.repeat(3000), '- '.repeat(3000), '{a: '.repeat(3000)])(
    'that is nested without end is refused with few words',
    (text) => {
      const loaded = parseConfig(text, environment())
      expect('problems' in loaded && loaded.problems.length).toBeLessThanOrEqual(10)
    },
  )
})
