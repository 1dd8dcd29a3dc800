import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { AGENTS, agentConfig, HOST, type MeshPorts, ONPREM, peersOf, portsOf } from './demo-mesh.ts'
import { freePorts } from './free-ports.ts'
import type { RunningAgent } from './mesh-report.ts'

const READY_LIMIT_MS = 20_000
const POLL_EVERY_MS = 100
const ANSWER_LIMIT_MS = 2000
/** Sets of ports that are tried. */
const TRIES = 5

/** A process of the demo ended, or did not become ready. */
export class ChildFailed extends Error {
  readonly log: string

  constructor(message: string, log: string) {
    super(message)
    this.log = log
  }
}

export interface RunningMesh extends AsyncDisposable {
  readonly agents: readonly RunningAgent[]
  /** Resolves as soon as a process has ended. */
  readonly ended: Promise<void>
  /** What is to be said of the process that ended first. */
  postMortem(): Promise<ChildFailed>
}

export interface MeshOptions {
  /** The program's module. */
  readonly program: string
  /** For configurations and logs. */
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * Starts the processes of the demo and waits until all are ready and know each other.
 *
 * @throws ChildFailed, or the signal's reason; nothing is left running then
 */
export async function startMesh(options: MeshOptions): Promise<RunningMesh> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await tryToStart(options)
    } catch (error) {
      const portTaken = error instanceof ChildFailed && error.log.includes('EADDRINUSE')
      if (!portTaken || left === 0) throw error
    }
  }
}

async function tryToStart({ program, folder, signal }: MeshOptions): Promise<RunningMesh> {
  const ports = await meshPorts()
  const configOf = (node: string) => join(folder, `${node}.yaml`)
  // Nobody probes an agent before it is there: the others are made known once all are ready, so that no path
  // begins with a failure.
  for (const agent of AGENTS) await writeFile(configOf(agent.node), agentConfig(agent, ports, [ONPREM.node]))

  const start = (name: string, args: readonly string[]) =>
    startChild({ name, args: [program, ...args], logFile: join(folder, `${name}.log`) })
  await using starting = new AsyncDisposableStack()
  const children: Child[] = []
  starting.defer(() =>
    Promise.all(children.map((child) => child[Symbol.asyncDispose]())).then(() => undefined),
  )

  const onprem = start(ONPREM.node, ['respond', ...respondArgs(ports)])
  children.push(onprem)
  await becomesReady(onprem, `http://${HOST}:${portsOf(ports, ONPREM.node).http}/v1/echo`, signal)
  const agents = AGENTS.map((agent) => {
    const child = start(agent.node, ['agent', '--config', configOf(agent.node)])
    children.push(child)
    return { ...agent, child, url: `http://${HOST}:${portsOf(ports, agent.node).web}` }
  })
  await Promise.all(agents.map(({ child, url }) => becomesReady(child, `${url}/-/ready`, signal)))

  await Promise.all(
    agents.map(async ({ node, zone, url }) => {
      await writeFile(configOf(node), agentConfig({ node, zone }, ports, peersOf(node)))
      await reload(url)
    }),
  )
  const running = starting.move()
  return {
    agents: agents.map(({ node, zone, url }) => ({ node, zone, url })),
    ended: Promise.race(children.map(({ ended }) => ended)).then(() => undefined),
    postMortem: () =>
      Promise.race(children.map(async (child) => failure(child, `ended with ${await child.ended}`))),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function meshPorts(): Promise<MeshPorts> {
  const nodes = [...AGENTS.map(({ node }) => node), ONPREM.node]
  const ports = (await freePorts(HOST, 3 * nodes.length)).values()
  const next = () => ports.next().value ?? 0
  return Object.fromEntries(nodes.map((node) => [node, { http: next(), tcp: next(), web: next() }]))
}

function respondArgs(ports: MeshPorts): readonly string[] {
  const { http, tcp } = portsOf(ports, ONPREM.node)
  return [
    '--node',
    ONPREM.node,
    '--zone',
    ONPREM.site,
    '--http',
    `${HOST}:${http}`,
    '--tcp',
    `${HOST}:${tcp}`,
  ]
}

async function becomesReady(child: Child, url: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + READY_LIMIT_MS
  while (!(await isOk(url))) {
    signal.throwIfAborted()
    const how = await Promise.race([child.ended, sleep(POLL_EVERY_MS, undefined)])
    if (how !== undefined) throw await failure(child, `ended with ${how}`)
    if (performance.now() > end) throw await failure(child, `was not ready within ${READY_LIMIT_MS / 1000}s`)
  }
}

async function failure(child: Child, what: string): Promise<ChildFailed> {
  return new ChildFailed(`${child.name} ${what}`, await child.tail())
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    return response.ok
  } catch (error) {
    // fetch says so of every failure of the network.
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return false
    throw error
  }
}

async function reload(url: string): Promise<void> {
  const response = await fetch(`${url}/-/reload`, { method: 'POST' })
  if (!response.ok) throw new Error(`Cannot reload ${url}: ${await response.text()}`)
}
