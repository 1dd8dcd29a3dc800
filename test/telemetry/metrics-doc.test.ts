import { expect, test } from 'vitest'
import { renderMetricsDoc } from '../../scripts/generate-metrics.ts'
import { httpFamilies } from '../../src/kinds/http/facts.ts'
import { tcpFamilies } from '../../src/kinds/tcp/facts.ts'
import type { AgentFamily, PathFamily } from '../../src/model/family.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createTelemetry } from '../../src/telemetry/create-telemetry.ts'
import { createFakeClock } from './fixtures.ts'
import { fill, meshChecks, SELF } from './mesh.ts'
import { parseExposition } from './parse-exposition.ts'

const kinds = {
  tcp: tcpFamilies as readonly PathFamily<Observation>[],
  http: httpFamilies as readonly PathFamily<Observation>[],
}

const peers: AgentFamily = {
  name: 'peers',
  help: 'Known peers | by state.',
  type: 'gauge',
  labels: ['state', 'boundary'],
}

const text = renderMetricsDoc({ kinds, agent: { Discovery: [peers], Web: [] } })

test('every metric that is scraped stands in the document with its type and labels, and none else', async () => {
  const telemetry = createTelemetry({ kinds, clock: createFakeClock(), self: SELF, version: '0.1.0' })
  fill(telemetry, meshChecks(10))
  const scraped = parseExposition((await telemetry.render(undefined)).body)
  const documented = new Map(
    [...text.matchAll(/^\| `(\w+)` \| (\w+)[^|]*\| ([^|]*) \|/gm)].map(
      ([, name = '', type = '', labels = '']) => [name, { type, labels }],
    ),
  )
  expect([...documented.keys()].filter((name) => name !== 'pathmeter_peers').sort()).toEqual(
    [...scraped.keys()].sort(),
  )
  const types: Record<string, string> = { sum: 'summary', window: 'gauge' }
  const places = ['dst_zone', 'boundary', 'via', 'probe', 'connection', 'ip_family']
  for (const [name, { type, lines }] of scraped) {
    const row = documented.get(name)
    expect(types[row?.type ?? ''] ?? row?.type).toBe(type)
    const own = [...(row?.labels ?? '').matchAll(/`(\w+)/g)].map(([, label = '']) => label)
    const level = /^\*(\w+)\*/.exec(row?.labels ?? '')?.[1]
    const all = [...own, ...(level ? places : []), ...(level === 'edge' ? ['dst'] : [])]
    const used = new Set(lines.flatMap(({ labels }) => Object.keys(labels)))
    used.delete('le')
    if (name === 'pathmeter_agent_info') used.add('site')
    expect([name, ...used].sort()).toEqual([name, ...all].sort())
  }
})

test('sections hold their rows sorted by name, cells are escaped, and empty sections are left out', () => {
  expect(text).toContain('## Discovery\n\n| metric |')
  expect(text).toContain('| `pathmeter_peers` | gauge | `state` `boundary` | Known peers \\| by state. |')
  expect(text).not.toContain('## Web')
  for (const section of text.split('\n## ').slice(1)) {
    const names = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    expect(names).toEqual(names.toSorted())
  }
  expect(text.endsWith('|\n')).toBe(true)
})
