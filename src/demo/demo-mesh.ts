import { parseConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import type { Seconds } from '../model/duration.ts'
import type { KindName } from '../model/facts.ts'
import type { Boundary, ConnectionUse } from '../model/path.ts'
import { plannedVariants } from '../plan/timing.ts'

/** Where everything in the demo listens. */
export const HOST = '127.0.0.1'

export interface DemoAgent {
  readonly node: string
  readonly zone: string
}

/** The agents, a zone each. */
export const AGENTS: readonly DemoAgent[] = [
  { node: 'node-a', zone: 'zone-a' },
  { node: 'node-b', zone: 'zone-b' },
  { node: 'node-c', zone: 'zone-c' },
]

/** What only answers: on-prem, in no zone. */
export const ONPREM = { node: 'onprem-1', site: 'dc1' }

/** More frequent than an agent's defaults, so that there is something to see after some seconds. */
const PROBES = { tcp: { every: '500ms' }, http: { reused: { every: '1s' }, new: { every: '2s' } } }

/** The listeners of one process, by what they are for. */
export interface DemoPorts {
  readonly http: number
  readonly tcp: number
  /** Agents alone. */
  readonly web: number
}

/** By node. */
export type MeshPorts = Readonly<Record<string, DemoPorts>>

/** Text of an agent's configuration, in that part of YAML that is JSON, towards these peers. */
export function agentConfig({ node, zone }: DemoAgent, ports: MeshPorts, peers: readonly string[]): string {
  const own = portsOf(ports, node)
  const config = {
    version: 1,
    node: { name: node, zone },
    sites: [{ name: ONPREM.site, nodes: 'onprem-*' }],
    peers: {
      static: peers.map((peer) => {
        const { http, tcp } = portsOf(ports, peer)
        return { node: peer, ...zoneOf(peer), address: HOST, ports: { http, tcp } }
      }),
    },
    probes: PROBES,
    web: { listen: `${HOST}:${own.web}` },
    respond: { http: `${HOST}:${own.http}`, tcp: `${HOST}:${own.tcp}` },
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

/** All that an agent probes besides itself. */
export function peersOf(node: string): readonly string[] {
  return [...AGENTS.map((agent) => agent.node).filter((other) => other !== node), ONPREM.node]
}

export function portsOf(ports: MeshPorts, node: string): DemoPorts {
  const found = ports[node]
  if (found === undefined) throw new Error(`Cannot find the ports of "${node}": it is not in the demo`)
  return found
}

/** One way in which every path is measured. */
export interface DemoWay {
  readonly probe: KindName
  readonly connection: ConnectionUse
  readonly every: Seconds
}

/** Every way of every kind there is, at the intervals of the demo. */
export function demoWays(): readonly DemoWay[] {
  const { rate, ...sections } = anyConfig().probes
  return plannedVariants(sections, rate).map(({ kind, variant: { connection, every } }) => ({
    probe: kind,
    connection,
    every,
  }))
}

/** A path that must be measured, and where it leads. */
export interface ExpectedPath extends Omit<DemoWay, 'every'> {
  readonly src: string
  readonly dst: string
  readonly dstZone: string
  readonly boundary: Boundary
}

/** From each agent to all others, to on-prem and to itself, in every way. */
export function expectedPaths(ways: readonly DemoWay[]): readonly ExpectedPath[] {
  return AGENTS.flatMap(({ node: src }) =>
    [...peersOf(src), src].flatMap((dst) => {
      const dstZone = zoneOf(dst)?.zone ?? ONPREM.site
      const boundary: Boundary = dst === src ? 'loopback' : dst === ONPREM.node ? 'on_prem' : 'cross_zone'
      return ways.map(({ probe, connection }) => ({ src, dst, dstZone, boundary, probe, connection }))
    }),
  )
}

function zoneOf(node: string): { readonly zone: string } | undefined {
  const agent = AGENTS.find((each) => each.node === node)
  return agent && { zone: agent.zone }
}

/** What an agent of the demo makes of its configuration; the ports have no part in the probes. */
function anyConfig(): Config {
  const names = [...AGENTS.map(({ node }) => node), ONPREM.node]
  const ports = Object.fromEntries(
    names.map((name, i) => [name, { http: 3 * i + 1, tcp: 3 * i + 2, web: 3 * i + 3 }]),
  )
  const [agent] = AGENTS
  if (agent === undefined) throw new Error('The demo has no agents')
  const loaded = parseConfig(agentConfig(agent, ports, peersOf(agent.node)), {
    variables: {},
    hostname: agent.node,
  })
  if ('config' in loaded) return loaded.config
  throw new Error(`The configuration of the demo is wrong: ${JSON.stringify(loaded.problems)}`)
}
