import { expect, test } from 'vitest'
import { httpFamilies } from '../../src/kinds/http/facts.ts'
import { tcpFamilies } from '../../src/kinds/tcp/facts.ts'
import type { AgentFamily, Collector, PathFamily } from '../../src/model/family.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createTelemetry } from '../../src/telemetry/create-telemetry.ts'
import { createFakeClock } from './fixtures.ts'
import { fill, meshChecks, SELF } from './mesh.ts'

const kinds = {
  tcp: tcpFamilies as readonly PathFamily<Observation>[],
  http: httpFamilies as readonly PathFamily<Observation>[],
}

function start(peers: number) {
  const telemetry = createTelemetry({ kinds, clock: createFakeClock(), self: SELF, version: '0.1.0' })
  fill(telemetry, meshChecks(peers), 60)
  return telemetry
}

interface Blocks {
  /** Milliseconds. */
  readonly longest: number
  readonly total: number
  readonly turns: number
}

/** Runs something beside a loop of immediates: what lies between two of them is one block of the event loop. */
async function blocksOf(run: () => Promise<unknown>): Promise<Blocks> {
  const gaps: number[] = []
  let running = true
  let last = performance.now()
  const measure = () => {
    const now = performance.now()
    gaps.push(now - last)
    last = now
    if (running) setImmediate(measure)
  }
  setImmediate(measure)
  await run()
  running = false
  gaps.push(performance.now() - last)
  return { longest: Math.max(...gaps), total: gaps.reduce((sum, gap) => sum + gap, 0), turns: gaps.length }
}

test('rendering 1,100 series gives way between families: the longest block is a small part of the whole', async () => {
  const telemetry = start(45)
  const lines = (await telemetry.render(undefined)).body.split('\n').filter((line) => !line.startsWith('#'))
  expect(lines.length).toBeGreaterThan(1100)
  const runs: Blocks[] = []
  for (let i = 0; i < 40; i++) runs.push(await blocksOf(() => telemetry.render(undefined)))
  // The least of many runs: whatever else the machine does only makes a block longer.
  const longest = Math.min(...runs.map((run) => run.longest))
  const total = Math.min(...runs.map((run) => run.total))
  console.log(`${lines.length} series: longest block ${longest.toFixed(2)} ms of ${total.toFixed(2)} ms`)
  expect(longest).toBeLessThan(0.8 * total)
})

test('every family is a turn of its own', async () => {
  const telemetry = start(0)
  const families = Array.from({ length: 60 }, (_, i): AgentFamily => {
    return { name: `gauge_${i}`, help: 'One of many.', type: 'gauge', labels: [] }
  })
  telemetry.addCollector({
    families,
    collect: () => families.map((family) => ({ family, samples: [{ value: 1 }] })),
  })
  const { turns } = await blocksOf(() => telemetry.render(undefined))
  expect(turns).toBeGreaterThanOrEqual(60)
})

test('one large family gives way inside too', async () => {
  const telemetry = start(0)
  const family: AgentFamily = { name: 'incoming_probers', help: 'Probers.', type: 'gauge', labels: ['node'] }
  const samples = Array.from({ length: 5000 }, (_, i) => ({ value: i, labels: { node: `n${i}` } }))
  telemetry.addCollector({ families: [family], collect: () => [{ family, samples }] })
  const { turns } = await blocksOf(() => telemetry.render(undefined))
  const { turns: withoutIt } = await blocksOf(() => start(0).render(undefined))
  expect(turns - withoutIt).toBeGreaterThanOrEqual(40)
})

test('scrapes that overlap share one rendering, of their own format, and later ones are new', async () => {
  const telemetry = start(1)
  let collections = 0
  const family: AgentFamily = { name: 'collections_total', help: 'Collections.', type: 'counter', labels: [] }
  const collector: Collector = {
    families: [family],
    collect: () => [{ family, samples: [{ value: ++collections }] }],
  }
  telemetry.addCollector(collector)
  const together = await Promise.all(
    [undefined, 'text/plain', '*/*'].map((accept) => telemetry.render(accept)),
  )
  expect(new Set(together.map(({ body }) => body)).size).toBe(1)
  expect(collections).toBe(1)
  const [plain, open] = await Promise.all(
    [undefined, 'application/openmetrics-text'].map((a) => telemetry.render(a)),
  )
  expect(plain?.contentType).toContain('text/plain')
  expect(open?.contentType).toContain('openmetrics')
  expect(collections).toBe(3)
})

test('a collector that fails fails the scrape and not those after it', async () => {
  const telemetry = start(1)
  let broken = true
  telemetry.addCollector({
    families: [],
    collect() {
      if (broken) throw new Error('Cannot read the peers')
      return []
    },
  })
  await expect(telemetry.render(undefined)).rejects.toThrow('Cannot read the peers')
  broken = false
  await expect(telemetry.render(undefined)).resolves.toMatchObject({
    body: expect.stringContaining('agent_info'),
  })
})
