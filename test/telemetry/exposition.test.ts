import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentFamily, Collector, PathFamily } from '../../src/model/family.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createTelemetry } from '../../src/telemetry/create-telemetry.ts'
import { createAttempt, createCheck, createFakeClock } from './fixtures.ts'
import { fill, meshChecks, SELF } from './mesh.ts'
import { parseExposition, sampleOf } from './parse-exposition.ts'

const OPENMETRICS = 'application/openmetrics-text;version=1.0.0'

const queue: AgentFamily = {
  name: 'due_slots_total',
  help: 'Slots "due" \\ in all.\nSecond line.',
  type: 'counter',
  labels: ['probe'],
}

function start() {
  return createTelemetry({
    kinds: {},
    clock: createFakeClock(),
    self: { node: 'n1', zone: 'zone-a' },
    version: '0.1.0',
  })
}

function collectorOf(
  family: AgentFamily,
  samples: { value: number; labels?: Record<string, string> }[],
): Collector {
  return { families: [family], collect: () => [{ family, samples }] }
}

/** The part of an exposition about one family. */
function partOf(body: string, name: string): string {
  const lines = body.split('\n').filter((line) => line.includes(name))
  return lines.join('\n')
}

test('the plain format names a counter with its ending everywhere', async () => {
  const telemetry = start()
  telemetry.addCollector(collectorOf(queue, [{ value: 3, labels: { probe: 'tcp' } }]))
  const { contentType, body } = await telemetry.render(undefined)
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(partOf(body, 'due_slots')).toBe(
    [
      '# HELP pathmeter_due_slots_total Slots "due" \\\\ in all.\\nSecond line.',
      '# TYPE pathmeter_due_slots_total counter',
      'pathmeter_due_slots_total{probe="tcp"} 3',
    ].join('\n'),
  )
})

test('OpenMetrics names a counter without its ending in HELP and TYPE, escapes quotes there and ends with EOF', async () => {
  const telemetry = start()
  telemetry.addCollector(collectorOf(queue, [{ value: 3, labels: { probe: 'tcp' } }]))
  const { contentType, body } = await telemetry.render(OPENMETRICS)
  expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(partOf(body, 'due_slots')).toBe(
    [
      '# HELP pathmeter_due_slots Slots \\"due\\" \\\\ in all.\\nSecond line.',
      '# TYPE pathmeter_due_slots counter',
      'pathmeter_due_slots_total{probe="tcp"} 3',
    ].join('\n'),
  )
  expect(body.endsWith('\n# EOF\n')).toBe(true)
})

test('plain output after OpenMetrics is what it was before', async () => {
  const telemetry = start()
  fill(telemetry, meshChecks(3))
  const withoutProcess = ({ body }: { body: string }) =>
    body.split('\n').filter((line) => !line.startsWith('process_'))
  const before = withoutProcess(await telemetry.render(undefined))
  await telemetry.render(OPENMETRICS)
  expect(withoutProcess(await telemetry.render(undefined))).toEqual(before)
})

test('sums are summaries without quantiles, windows are gauges, histograms are cumulative', async () => {
  const telemetry = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.0003 } }))
  telemetry.sink.record(check, createAttempt({ phases: { connect: 10 } }))
  const { body } = await telemetry.render(undefined)
  const labels =
    'dst_zone="zone-b",boundary="cross_zone",via="pod",probe="tcp",connection="new",ip_family="4"'
  expect(partOf(body, 'attempt_seconds')).toContain(
    [
      '# TYPE pathmeter_attempt_seconds summary',
      `pathmeter_attempt_seconds_sum{${labels},result="ok"} 10.0003`,
      `pathmeter_attempt_seconds_count{${labels},result="ok"} 2`,
    ].join('\n'),
  )
  expect(partOf(body, 'zone_duration_seconds')).toContain('# TYPE pathmeter_zone_duration_seconds gauge\n')
  expect(body).toContain(`pathmeter_zone_duration_seconds{${labels},stat="p50"} 0.0003\n`)
  const buckets = parseExposition(body)
    .get('pathmeter_probe_duration_seconds')
    ?.lines.filter(({ name }) => name.endsWith('_bucket'))
    .map(({ labels: { le = '' }, value }) => `${le}:${value}`)
  expect(buckets?.join(' ')).toBe(
    '0.0002:0 0.0005:1 0.001:1 0.0025:1 0.005:1 0.01:1 0.025:1 0.1:1 0.9:1 1.5:1 2.5:1 3.5:1 7.5:1 +Inf:2',
  )
})

test('hostile names survive in both formats and never become another line or label', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', ',', '=', '{', '}', ' ', '#', 'n', 'é', ':') }),
    fc.constant('a"} 1\nevil_total{x="y'),
    fc.constant('__proto__'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 6 }),
      async (pairs) => {
        const telemetry = start()
        for (const [identity, zone] of pairs) {
          const check = createCheck({ id: JSON.stringify([identity, zone]), target: { identity, zone } })
          telemetry.sink.begin(check)
          telemetry.sink.record(check, createAttempt())
        }
        for (const accept of [undefined, OPENMETRICS]) {
          const { body } = await telemetry.render(accept)
          const name = accept === undefined ? 'pathmeter_probes_total' : 'pathmeter_probes'
          const lines = parseExposition(body).get(name)?.lines ?? []
          const seen = lines
            .filter(({ labels, value }) => labels['result'] === 'ok' && value >= 1)
            .map(({ labels }) => JSON.stringify([labels['dst'] ?? '', labels['dst_zone'] ?? '']))
          expect(new Set(seen)).toEqual(new Set(pairs.map((pair) => JSON.stringify(pair))))
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('everything at once is a legal exposition in both formats, with the same lines', async () => {
  const telemetry = start()
  fill(telemetry, meshChecks(10))
  const [plain, open] = await Promise.all([telemetry.render(undefined), telemetry.render(OPENMETRICS)])
  const linesOf = (body: string) =>
    [...parseExposition(body).values()]
      .flatMap(({ lines }) => lines)
      .filter(({ name }) => !name.startsWith('process_'))
  expect(linesOf(open.body)).toEqual(linesOf(plain.body))
})

test('the agent says who it is, what it runs and what its process uses', async () => {
  const self = { node: 'n1', zone: 'dc1', site: 'dc1' }
  const clock = { now: () => performance.now() / 1000, wall: () => Date.now() / 1000 }
  const telemetry = createTelemetry({ kinds: {}, clock, self, version: '0.1.0' })
  const text = parseExposition((await telemetry.render(undefined)).body)
  expect(sampleOf(text, 'pathmeter_agent_info', { ...self })).toBe(1)
  expect(
    sampleOf(text, 'pathmeter_build_info', { version: '0.1.0', node_version: process.versions.node }),
  ).toBe(1)
  expect(sampleOf(text, 'process_cpu_seconds_total')).toBeCloseTo(process.cpuUsage().user / 1e6, 0)
  expect(sampleOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(2 ** 24)
  expect(sampleOf(text, 'process_open_fds')).toBeGreaterThan(2)
  expect(
    Math.abs((sampleOf(text, 'process_open_fds') ?? 0) - readdirSync('/proc/self/fd').length),
  ).toBeLessThan(8)
  const started = Date.now() / 1000 - process.uptime()
  expect(sampleOf(text, 'process_start_time_seconds')).toBeCloseTo(started, 0)
})

test('a collector is asked anew at each scrape, and a family without samples is left out', async () => {
  const telemetry = start()
  const samples: { value: number }[] = []
  const family: AgentFamily = { name: 'open_probe_sockets', help: 'Open sockets.', type: 'gauge', labels: [] }
  telemetry.addCollector(collectorOf(family, samples))
  expect((await telemetry.render(undefined)).body).not.toContain('open_probe_sockets')
  samples.push({ value: 7 })
  expect((await telemetry.render(undefined)).body).toContain('pathmeter_open_probe_sockets 7\n')
  samples.pop()
  expect((await telemetry.render(undefined)).body).not.toContain('open_probe_sockets')
})

test('a family that its collector no longer mentions is left out', async () => {
  const telemetry = start()
  const family: AgentFamily = { name: 'peers', help: 'Peers.', type: 'gauge', labels: [] }
  let mentioned = true
  telemetry.addCollector({
    families: [family],
    collect: () => (mentioned ? [{ family, samples: [{ value: 7 }] }] : []),
  })
  expect((await telemetry.render(undefined)).body).toContain('pathmeter_peers 7\n')
  mentioned = false
  expect((await telemetry.render(undefined)).body).not.toContain('pathmeter_peers')
})

test('a family that breaks the conventions or takes a used name is refused', () => {
  const gauge: AgentFamily = { name: 'peers', help: 'Peers.', type: 'gauge', labels: ['state'] }
  const add = (parts: Partial<AgentFamily>) => start().addCollector(collectorOf({ ...gauge, ...parts }, []))
  expect(() => add({})).not.toThrow()
  expect(() => add({ type: 'counter' })).toThrow(
    'Cannot register metric "peers": "_total" ends the names of counters',
  )
  expect(() => add({ name: 'peers_total' })).toThrow('"_total" ends the names of counters alone')
  expect(() => add({ name: 'peers_count' })).toThrow('reserved')
  expect(() => add({ name: 'peersKnown' })).toThrow('lower case words')
  expect(() => add({ help: ' ' })).toThrow('help text is empty')
  expect(() => add({ labels: ['le'] })).toThrow('the label "le"')
  expect(() => add({ name: 'agent_info' })).toThrow('already been registered')
  const twin = (): PathFamily<Observation> => ({
    name: 'twins_total',
    help: 'Twins.',
    type: 'counter',
    level: 'edge',
    labels: [],
    read: () => [],
  })
  const [clock, version] = [createFakeClock(), '0.1.0']
  expect(() =>
    createTelemetry({ kinds: { tcp: [twin()], http: [twin()] }, clock, self: SELF, version }),
  ).toThrow('already been registered')
  const shared = twin()
  expect(() =>
    createTelemetry({ kinds: { tcp: [shared], http: [shared] }, clock, self: SELF, version }),
  ).not.toThrow()
})
