import type { AgentFamily, Collected, Collector } from '../model/family.ts'
import type { Place } from '../model/path.ts'

const agentInfo: AgentFamily = {
  name: 'agent_info',
  help: 'Who this agent is and where it stands; always 1.',
  type: 'gauge',
  labels: ['node', 'zone', 'site'],
}

const buildInfo: AgentFamily = {
  name: 'build_info',
  help: 'Version of the agent and of its runtime; always 1.',
  type: 'gauge',
  labels: ['version', 'node_version'],
}

export const identityFamilies: readonly AgentFamily[] = [agentInfo, buildInfo]

/** Shows the agent's own place and version. */
export function identityCollector(self: Place, version: string): Collector {
  const { node, zone, site = '' } = self
  const collected: readonly Collected[] = [
    { family: agentInfo, samples: [{ value: 1, labels: { node, zone, site } }] },
    { family: buildInfo, samples: [{ value: 1, labels: { version, node_version: process.versions.node } }] },
  ]
  return { families: identityFamilies, collect: () => collected }
}
