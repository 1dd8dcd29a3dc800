import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { PeerPorts } from '../src/model/peer.ts'
import { wordsOf } from '../test/bundle/dockerfile.ts'
import { type Child, start, untilReady } from './processes.ts'
import type { FromSwarm, ToSwarm } from './swarm.ts'

const root = join(import.meta.dirname, '..')
const ZONES = ['zone-a', 'zone-b', 'zone-c']

/** What the image starts, but for where the bundle is. */
const AGENT = [...wordsOf('ENTRYPOINT').slice(1, -1), join(root, 'dist/pathmeter.mjs'), 'agent', '--config']

export interface Swarm extends AsyncDisposable {
  readonly ports: readonly PeerPorts[]
  send(message: ToSwarm): void
}

/** Starts a process that plays `peers` peers. */
export async function startSwarm(peers: number): Promise<Swarm> {
  const child = await start(process.execPath, [join(import.meta.dirname, 'swarm.ts')], true)
  const send = (message: ToSwarm) => child.process.send?.(message)
  const answer = new Promise<FromSwarm>((resolve) =>
    child.process.once('message', (from) => resolve(from as FromSwarm)),
  )
  send({ do: 'respond', peers })
  const { ports } = await answer
  return { ports, send, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}

export interface MeasuredAgent extends AsyncDisposable {
  readonly pid: number
  readonly url: string
  readonly ports: PeerPorts
}

/** Starts the bundle as an agent that probes these peers, all of them, spread over three zones. */
export async function startAgent(peers: readonly PeerPorts[], probes: object): Promise<MeasuredAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'pathmeter-bench-'))
  const [web = 0, http = 0, tcp = 0] = await freePorts(3)
  const config = {
    version: 1,
    node: { name: 'measured', zone: ZONES[0] },
    peers: {
      static: peers.map((ports, index) => ({
        node: `peer-${index}`,
        zone: ZONES[index % ZONES.length],
        address: '127.0.0.1',
        ports,
      })),
      perZone: Math.ceil(peers.length / ZONES.length),
      rotating: 0,
    },
    probes,
    web: { listen: `127.0.0.1:${web}` },
    respond: { http: `127.0.0.1:${http}`, tcp: `127.0.0.1:${tcp}` },
    log: { level: 'error' },
  }
  const file = join(folder, 'config.yaml')
  await writeFile(file, stringify(config))
  const child: Child = await start(process.execPath, [...AGENT, file])
  const url = `http://127.0.0.1:${web}`
  await untilReady(`${url}/-/ready`)
  return {
    pid: child.pid,
    url,
    ports: { http, tcp },
    async [Symbol.asyncDispose]() {
      await child[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  for (const server of servers) server.close()
  return ports
}

/** Values of a family on an agent's /metrics, by their labels as written. */
export async function scrape(url: string, family: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const match = /^([a-z_]+)(\{.*\})? (\S+)$/.exec(line)
    if (match?.[1] === family) values.set(match[2] ?? '', Number(match[3]))
  }
  return values
}
