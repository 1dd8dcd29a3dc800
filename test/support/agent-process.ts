import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type RunningChild, startChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

const PATHMETER = join(import.meta.dirname, '../../bin/pathmeter')

/** Milliseconds from the start of the process to the first line that says that all is up; many start at once. */
const START_LIMIT_MS = 30_000

/** Where an agent of a test stands and listens, all on 127.0.0.1. */
export interface AgentPlace {
  readonly node: string
  readonly zone: string
  readonly ports: { readonly web: number; readonly http: number; readonly tcp: number }
}

/** Gives an agent free ports. */
export async function placeAgent(node: string, zone: string): Promise<AgentPlace> {
  return {
    node,
    zone,
    ports: { web: await findFreePort(), http: await findFreePort(), tcp: await findFreePort() },
  }
}

export interface AgentSetup extends AgentPlace {
  readonly peers: readonly AgentPlace[]
  /** As in the configuration file; 1s by default. */
  readonly drain?: string
  /** Folder for the configuration file. */
  readonly dir: string
}

export interface AgentProcess extends RunningChild {
  readonly node: string
  /** `127.0.0.1:PORT` of its web surface: what Prometheus calls the instance. */
  readonly instance: string
  /** Replaces the peers in its configuration file. The agent is not told. */
  writePeers(peers: readonly AgentPlace[]): Promise<void>
  metrics(): Promise<string>
}

/** Starts `pathmeter agent` and waits until it runs. It ends with this process. */
export async function startAgentProcess(setup: AgentSetup): Promise<AgentProcess> {
  const file = join(setup.dir, `${setup.node}.yaml`)
  const writePeers = (peers: readonly AgentPlace[]) => writeFile(file, configText(setup, peers))
  await writePeers(setup.peers)
  const child = await startChild({ command: PATHMETER, args: ['agent', '--config', file], ipc: true })
  try {
    await untilStarted(child)
  } catch (error) {
    await child[Symbol.asyncDispose]()
    throw error
  }
  const instance = `127.0.0.1:${setup.ports.web}`
  return {
    ...child,
    node: setup.node,
    instance,
    writePeers,
    metrics: async () => (await fetch(`http://${instance}/metrics`)).text(),
  }
}

function untilStarted(child: RunningChild): Promise<true> {
  let exitCode: number | null | undefined
  void child.exited.then((code) => {
    exitCode = code
  })
  return waitUntil<true>(
    () => {
      if (exitCode !== undefined) throw new Error(`Agent ended with ${exitCode}: ${child.output()}`)
      return child.output().includes('"msg":"started"')
    },
    { withinMs: START_LIMIT_MS, what: `the agent of process ${child.pid} is up` },
  )
}

function configText({ node, zone, ports, drain = '1s' }: AgentSetup, peers: readonly AgentPlace[]): string {
  return stringify({
    version: 1,
    node: { name: node, zone },
    drain,
    peers: { static: peers.map(peerConfig) },
    web: { listen: `127.0.0.1:${ports.web}` },
    respond: { http: `127.0.0.1:${ports.http}`, tcp: `127.0.0.1:${ports.tcp}` },
  })
}

function peerConfig({ node, zone, ports }: AgentPlace) {
  return { node, zone, address: '127.0.0.1', ports: { http: ports.http, tcp: ports.tcp } }
}
