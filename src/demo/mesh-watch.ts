import type { Seconds } from '../model/duration.ts'
import { demoWays, expectedPaths } from './demo-mesh.ts'
import type { DemoView } from './demo-table.ts'
import { completePaths, type MeasuredPath, type RunningAgent } from './mesh-report.ts'
import { readColdTaxes, readPaths } from './read-agent.ts'

/** Metrics are asked for more seldom than paths: rendering costs the agents time, which shows in what they measure. */
const COLD_TAXES_EVERY_MS = 5000
/** What the numbers are over while the demo runs, and in the end. */
const RECENT: Seconds = 300
const ALL: Seconds = 3600

/** What the agents have said so far. */
export class MeshWatch {
  readonly #agents: readonly RunningAgent[]
  readonly #ways = demoWays()
  readonly #expected = expectedPaths(this.#ways)
  /** The last answer of each agent, by node. */
  readonly #answers = new Map<string, readonly MeasuredPath[]>()
  readonly #coldTaxes = new Map<string, ReadonlyMap<string, Seconds>>()
  #silent: readonly string[] = []
  #coldTaxesAt = 0

  constructor(agents: readonly RunningAgent[]) {
    this.#agents = agents
  }

  get ways(): DemoView['ways'] {
    return this.#ways
  }

  /** Every path there must be, measured or not. */
  get paths(): readonly MeasuredPath[] {
    return completePaths(this.#expected, [...this.#answers.values()].flat())
  }

  /** Agents that did not answer when they were last asked. */
  get silent(): readonly string[] {
    return this.#silent
  }

  /** By source node and destination zone. */
  get coldTaxes(): DemoView['coldTaxes'] {
    return this.#coldTaxes
  }

  /** Asks all agents. @param span of the numbers: the last five minutes, or all that an agent remembers */
  async look(span: 'recent' | 'all'): Promise<void> {
    const withColdTaxes = performance.now() - this.#coldTaxesAt >= COLD_TAXES_EVERY_MS
    if (withColdTaxes) this.#coldTaxesAt = performance.now()
    const asked = await Promise.allSettled(
      this.#agents.map(async (agent) => {
        this.#answers.set(agent.node, await readPaths(agent, span === 'recent' ? RECENT : ALL))
        if (withColdTaxes) this.#coldTaxes.set(agent.node, await readColdTaxes(agent))
      }),
    )
    this.#silent = this.#agents.flatMap(({ node }, i) => (asked[i]?.status === 'rejected' ? [node] : []))
  }
}
