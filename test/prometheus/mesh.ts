import {
  type AgentPlace,
  type AgentProcess,
  placeAgent,
  startAgentProcess,
} from '../support/agent-process.ts'
import { type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { createTempDir } from '../support/temp-dir.ts'

/** Seconds between two scrapes. */
export const SCRAPE_EVERY = 5

/**
 * Who probes whom. n1 to n3 are scraped, the others are there to be broken: n4 will be killed, n5 replaced on its address
 * by another node, n6 drained and taken out of the configuration. n2 will be frozen; it does not know n6, of whose
 * end it would hear nothing.
 */
export const PEERS_OF = {
  n1: ['n2', 'n3', 'n4', 'n5', 'n6'],
  n2: ['n1', 'n3', 'n4', 'n5'],
  n3: ['n1', 'n2', 'n4', 'n5', 'n6'],
  n4: ['n1'],
  n5: ['n1'],
  n6: ['n1'],
} as const satisfies Record<string, readonly string[]>

export type MeshNode = keyof typeof PEERS_OF

export const SCRAPED = ['n1', 'n2', 'n3'] as const

const ZONES = { n1: 'zone-a', n2: 'zone-b', n3: 'zone-c', n4: 'zone-a', n5: 'zone-b', n6: 'zone-c' } as const

/** Agents as processes of their own, at the default intervals and limits, and a Prometheus that scrapes three of them. */
export interface RunningMesh extends AsyncDisposable {
  readonly agents: Readonly<Record<MeshNode, AgentProcess>>
  readonly prometheus: Prometheus
  /** Puts the agent of another node where `node` was, once that has ended. */
  replace(node: MeshNode): Promise<void>
  /** Takes a peer out of an agent's configuration file. */
  removePeer(from: MeshNode, peer: MeshNode): Promise<void>
}

export async function startMesh(): Promise<RunningMesh> {
  await using starting = new AsyncDisposableStack()
  const { path: dir } = starting.use(await createTempDir())
  const places = await placeNodes()
  const peersOf = (node: MeshNode) => PEERS_OF[node].map((peer) => places[peer])
  const start = async (node: MeshNode) => {
    const agent = await startAgentProcess({ ...places[node], peers: peersOf(node), drain: '5s', dir })
    return starting.use(agent)
  }
  // Settled, so that none is still to come when another has failed.
  const started = await Promise.allSettled(NODES.map(start))
  const agents = nodeRecord((node, i) => {
    const outcome = started[i]
    if (outcome?.status !== 'fulfilled') throw new Error(`Cannot start ${node}`, { cause: outcome?.reason })
    return outcome.value
  })
  const targets = SCRAPED.map((node) => agents[node].instance)
  const prometheus = starting.use(await startPrometheus({ dir, targets, scrapeEvery: SCRAPE_EVERY }))

  const running = starting.move()
  return {
    agents,
    prometheus,
    async replace(node) {
      await agents[node].exited
      const { http, tcp } = places[node].ports
      const elsewhere = await placeAgent('stranger', ZONES[node])
      const place = { ...elsewhere, ports: { ...elsewhere.ports, http, tcp } }
      running.use(await startAgentProcess({ ...place, peers: [places.n1], dir }))
    },
    removePeer: (from, peer) => agents[from].writePeers(peersOf(from).filter(({ node }) => node !== peer)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const NODES = Object.keys(PEERS_OF) as MeshNode[]

async function placeNodes(): Promise<Readonly<Record<MeshNode, AgentPlace>>> {
  const places: AgentPlace[] = []
  for (const node of NODES) places.push(await placeAgent(node, ZONES[node]))
  return Object.fromEntries(places.map((place) => [place.node, place])) as Record<MeshNode, AgentPlace>
}

function nodeRecord<T>(create: (node: MeshNode, index: number) => T): Record<MeshNode, T> {
  // fromEntries forgets the keys.
  return Object.fromEntries(NODES.map((node, i) => [node, create(node, i)])) as Record<MeshNode, T>
}
