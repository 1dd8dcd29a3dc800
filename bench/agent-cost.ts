import type { ProbeSections } from '../src/kinds/options.ts'
import { scrape, startAgent, startSwarm } from './measured-agent.ts'
import { type ProcessUse, readUse } from './processes.ts'

const PEERS = 10
const SCRAPE_EVERY_MS = 15_000
/** Heap and code settle in this time, in seconds; nothing before it counts. */
const WARM_UP = 30

/** The defaults, as the probers of the swarm need them decoded. */
const DEFAULTS: ProbeSections = {
  tcp: { every: 1, limit: 8 },
  http: { reused: { every: 4 }, new: { every: 15 }, limit: 8 },
}

export interface AgentCost {
  readonly seconds: number
  /** Share of one core, 0 to 1. */
  readonly cores: number
  /** MiB, the largest that was read. */
  readonly rss: number
  /** MiB, per minute, over the second half. */
  readonly rssSlope: number
  readonly handlesFirst: number
  readonly handlesLast: number
  /** Seconds, of the scrape's last minute; median of all scrapes, and the worst. */
  readonly startDelayP99: number
  readonly startDelayWorst: number
}

/** An agent at its defaults with ten peers, probing and probed, scraped as Prometheus does. */
export async function measureAgentCost(seconds: number): Promise<AgentCost> {
  await using swarm = await startSwarm(PEERS)
  await using agent = await startAgent(swarm.ports, {})
  swarm.send({ do: 'probe', node: 'measured', ports: agent.ports, sections: DEFAULTS })
  await pause(WARM_UP * 1000)

  const uses: ProcessUse[] = [readUse(agent.pid)]
  const delays: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    await pause(Math.min(SCRAPE_EVERY_MS, end - performance.now()))
    delays.push((await scrape(agent.url, 'pathmeter_scheduler_start_delay_seconds')).get('{stat="p99"}') ?? 0)
    uses.push(readUse(agent.pid))
  }
  const first = uses[0] as ProcessUse
  const middle = uses[Math.floor(uses.length / 2)] as ProcessUse
  const last = uses.at(-1) as ProcessUse
  delays.sort((a, b) => a - b)
  return {
    seconds: last.at - first.at,
    cores: (last.cpu - first.cpu) / (last.at - first.at),
    rss: Math.max(...uses.map(({ rss }) => rss)),
    rssSlope: ((last.rss - middle.rss) / (last.at - middle.at)) * 60,
    handlesFirst: first.handles,
    handlesLast: last.handles,
    startDelayP99: delays[Math.floor(delays.length / 2)] ?? 0,
    startDelayWorst: delays.at(-1) ?? 0,
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
