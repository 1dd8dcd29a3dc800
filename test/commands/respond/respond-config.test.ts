import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configFromFlags, loadRespondConfig } from '../../../src/commands/respond/respond-config.ts'
import { createTempDir } from '../../support/temp-dir.ts'

const MACHINE = { variables: {}, hostname: 'machine-1' }

describe('respond without a file', () => {
  test('has the defaults of an agent', () => {
    expect(configFromFlags({}, MACHINE)).toEqual({
      config: {
        node: { name: 'machine-1', zone: undefined, podIp: undefined, namespace: undefined },
        sites: [],
        respond: {
          http: { host: '', port: 9701 },
          tcp: { host: '', port: 9703 },
          prefix: '/pathmeter',
          limits: {
            connections: 2000,
            perSource: 200,
            perAddress: 1000,
            hold: 7200,
            bytesPerSecond: 8_388_608,
          },
        },
        drain: 15,
        log: { level: 'info' },
      },
    })
  })

  test('does what the options say', () => {
    const flags = {
      http: '127.0.0.1:1',
      tcp: '[::1]:2',
      node: 'onprem-1',
      zone: 'dc1',
      prefix: '/p',
      drain: '0s',
    }
    expect(configFromFlags(flags, MACHINE)).toMatchObject({
      config: {
        node: { name: 'onprem-1', zone: 'dc1' },
        respond: { http: { host: '127.0.0.1', port: 1 }, tcp: { host: '::1', port: 2 }, prefix: '/p' },
        drain: 0,
      },
    })
  })

  test('takes who it is from the options before the environment, one by one', () => {
    const environment = {
      variables: { PATHMETER_NODE: 'env-node', PATHMETER_ZONE: 'env-zone' },
      hostname: 'machine-1',
    }
    const nodeOf = (flags: Parameters<typeof configFromFlags>[0]) => {
      const loaded = configFromFlags(flags, environment)
      return 'config' in loaded ? loaded.config.node : undefined
    }
    expect(nodeOf({})).toMatchObject({ name: 'env-node', zone: 'env-zone' })
    expect(nodeOf({ node: 'typed' })).toMatchObject({ name: 'typed', zone: 'env-zone' })
    expect(nodeOf({ zone: 'typed' })).toMatchObject({ name: 'env-node', zone: 'typed' })
  })

  test('names the options that are wrong, all of them', () => {
    const flags = { http: 'everywhere', node: '-', drain: '1h', prefix: 'x' }
    const loaded = configFromFlags(flags, MACHINE)
    expect('problems' in loaded && loaded.problems.map(({ path }) => path)).toEqual([
      '--node',
      '--http',
      '--prefix',
      '--drain',
    ])
  })

  test('refuses one port for both', () => {
    expect(configFromFlags({ http: ':9703' }, MACHINE)).toEqual({
      problems: [
        { path: '--tcp', message: expect.stringContaining('must not take the port of respond.http') },
      ],
    })
  })
})

describe('respond with a file', () => {
  async function load(text: string) {
    await using dir = await createTempDir()
    const file = join(dir.path, 'pathmeter.yaml')
    await writeFile(file, text)
    return await loadRespondConfig(file, MACHINE)
  }

  test('need not say who the peers are', async () => {
    expect(await load('version: 1\nnode: { name: onprem-1 }\ndrain: 3s\n')).toMatchObject({
      config: { node: { name: 'onprem-1' }, drain: 3 },
    })
  })

  test('takes an agent’s own', async () => {
    const text = 'version: 1\npeers: { static: [{ node: n2, address: 10.0.0.2 }] }\nlog: { level: warn }\n'
    expect(await load(text)).toMatchObject({ config: { log: { level: 'warn' } } })
  })

  test('is as strict as an agent is', async () => {
    expect(await load('version: 1\nrespond: { htp: ":1" }\nprobes: { tcp: { every: 1ms } }\n')).toEqual({
      problems: [
        { path: 'probes.tcp.every', message: 'must be at least 100ms, got "1ms"' },
        { path: 'respond.htp', message: 'is no known key, did you mean "http"?' },
      ],
    })
  })

  test('that is not there is a problem', async () => {
    expect(await loadRespondConfig('/nowhere/pathmeter.yaml', MACHINE)).toEqual({
      problems: [{ path: '', message: 'there is no such file' }],
    })
  })
})
