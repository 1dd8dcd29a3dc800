import { expect, test } from 'vitest'
import type { PathFamily } from '../../src/model/family.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createTelemetry, type Telemetry } from '../../src/telemetry/create-telemetry.ts'
import { DEPARTED_GRACE } from '../../src/telemetry/path-scopes.ts'
import { createAttempt, createCheck, createFakeClock, failedWith } from './fixtures.ts'
import { parseExposition, sampleOf } from './parse-exposition.ts'

const families: readonly PathFamily<Observation>[] = [
  {
    name: 'syn_retransmits_total',
    help: 'SYNs sent again.',
    type: 'counter',
    level: 'edge',
    labels: [],
    *read({ facts }) {
      if (facts.kernel !== undefined) yield { value: facts.kernel.synRetransmits }
    },
  },
  {
    name: 'tcp_rtt_seconds',
    help: 'Round trip.',
    type: 'histogram',
    level: 'zone',
    labels: [],
    *read({ facts }) {
      if (facts.kernel?.rtt !== undefined) yield { value: facts.kernel.rtt }
    },
  },
]

function start(detail: 'full' | 'minimal' = 'full') {
  const clock = createFakeClock()
  const self = { node: 'n1', zone: 'zone-a' }
  return {
    clock,
    telemetry: createTelemetry({ kinds: { tcp: families }, clock, self, version: '0.1.0', detail }),
  }
}

async function scrape(telemetry: Telemetry) {
  return parseExposition((await telemetry.render(undefined)).body)
}

const EDGE = {
  dst: 'n2',
  dst_zone: 'zone-b',
  boundary: 'cross_zone',
  via: 'pod',
  probe: 'tcp',
  connection: 'new',
  ip_family: '4',
}

test('a check that begins has its results, and its kind its unlabelled counters, at 0', async () => {
  const { telemetry } = start()
  telemetry.sink.begin(createCheck())
  const text = await scrape(telemetry)
  for (const result of ['ok', 'failed', 'skipped']) {
    expect(sampleOf(text, 'pathmeter_probes_total', { ...EDGE, result })).toBe(0)
  }
  expect(sampleOf(text, 'pathmeter_syn_retransmits_total', EDGE)).toBe(0)
  expect(text.has('pathmeter_probe_failures_total')).toBe(false)
  expect(text.has('pathmeter_attempt_seconds')).toBe(false)
})

test('every scheduled slot is in probes_total by its result, and extras are in no series', async () => {
  const { telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt())
  telemetry.sink.record(check, createAttempt(failedWith('refused')))
  telemetry.sink.record(check, createAttempt({ ...failedWith('refused'), extra: true }))
  telemetry.sink.skipped(check)
  telemetry.sink.skipped(check)
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probes_total', { result: 'ok' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_probes_total', { result: 'failed' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_probes_total', { result: 'skipped' })).toBe(2)
  expect(sampleOf(text, 'pathmeter_probe_failures_total', { ...EDGE, reason: 'refused' })).toBe(1)
})

test('attempt_seconds holds all attempts, with timeouts at their limit', async () => {
  const { telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.25, first_byte: 0.5 } }))
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.25 }, noise: { own: 1 } }))
  expect((await scrape(telemetry)).get('pathmeter_attempt_seconds')?.lines).toHaveLength(2)
  telemetry.sink.record(check, createAttempt({ ...failedWith('timeout_connect'), phases: { connect: 8 } }))
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_attempt_seconds_sum', { result: 'ok' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_attempt_seconds_count', { result: 'ok' })).toBe(2)
  expect(sampleOf(text, 'pathmeter_attempt_seconds_sum', { result: 'failed' })).toBe(8)
})

test('latency series hold successes that no starved end has spoilt, and the spoilt ones are counted', async () => {
  const { telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.0004, other: 0.0002 } }))
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.5 }, noise: { own: 0.2 } }))
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.5 }, noise: { far: 0.2 } }))
  telemetry.sink.record(check, createAttempt({ phases: { connect: 0.5 }, noise: { far: 0.2 } }))
  telemetry.sink.record(check, createAttempt(failedWith('refused')))
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_bucket', { le: '0.0005' })).toBe(0)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_bucket', { le: '0.001' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_bucket', { le: '+Inf' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_count')).toBe(1)
  expect(sampleOf(text, 'pathmeter_zone_duration_seconds', { stat: 'max' })).toBeCloseTo(0.0006, 12)
  expect(sampleOf(text, 'pathmeter_phase_seconds_sum', { phase: 'connect' })).toBe(0.0004)
  expect(sampleOf(text, 'pathmeter_phase_seconds_count', { phase: 'other' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_samples_flagged_total', { reason: 'starved', end: 'own' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_samples_flagged_total', { reason: 'starved', end: 'far' })).toBe(2)
})

test('zone series join the peers of a zone, and edge series do not', async () => {
  const { telemetry } = start()
  for (const identity of ['n2', 'n3']) {
    const check = createCheck({ target: { identity } })
    telemetry.sink.begin(check)
    telemetry.sink.record(check, createAttempt())
  }
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_count', { dst_zone: 'zone-b' })).toBe(2)
  expect(sampleOf(text, 'pathmeter_probes_total', { dst: 'n3', result: 'ok' })).toBe(1)
  const zoneFamilies = ['probe_duration_seconds', 'zone_duration_seconds', 'attempt_seconds', 'phase_seconds']
  for (const name of zoneFamilies) {
    for (const { labels } of text.get(`pathmeter_${name}`)?.lines ?? [])
      expect(labels).not.toHaveProperty('dst')
  }
})

test('histograms of configured targets have the name of the target', async () => {
  const { telemetry } = start()
  const check = createCheck({ target: { identity: 'erp-db', via: 'target', boundary: 'external' } })
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt())
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_count', { dst: 'erp-db' })).toBe(1)
})

test('the agent itself is the noise floor: exact window and sums, no attempt counters and no histograms', async () => {
  const { telemetry } = start()
  const check = createCheck({ target: { identity: 'n1', boundary: 'loopback' } })
  telemetry.sink.begin(check)
  const kernel = { rtt: 0.00001, synRetransmits: 0, mss: 65483, pathMtu: 65535 }
  telemetry.sink.record(check, createAttempt({ facts: { kernel } }))
  telemetry.sink.skipped(check)
  const names = [...(await scrape(telemetry))]
    .filter(([, { lines }]) => lines.some(({ labels }) => labels['boundary'] === 'loopback'))
    .map(([name]) => name)
  expect(names).toEqual([
    'pathmeter_attempt_seconds',
    'pathmeter_syn_retransmits_total',
    'pathmeter_zone_duration_seconds',
  ])
})

test('rotating peers are in zone_probes_total and nowhere else', async () => {
  const { telemetry } = start()
  const check = createCheck({ target: { rotating: true } })
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt())
  telemetry.sink.record(check, createAttempt(failedWith('refused')))
  telemetry.sink.skipped(check)
  const text = await scrape(telemetry)
  const names = [...text]
    .filter(([, { lines }]) => lines.some(({ labels }) => 'probe' in labels))
    .map(([name]) => name)
  expect(names).toEqual(['pathmeter_zone_probes_total'])
  expect(sampleOf(text, 'pathmeter_zone_probes_total', { dst_zone: 'zone-b', result: 'failed' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_zone_probes_total', { dst_zone: 'zone-b', result: 'skipped' })).toBe(1)
})

test('the exact window forgets what is older than a minute, and then is absent', async () => {
  const { clock, telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  for (let i = 1; i <= 100; i++)
    telemetry.sink.record(check, createAttempt({ phases: { connect: i / 1024 } }))
  let text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_zone_duration_seconds', { stat: 'p50' })).toBe(50 / 1024)
  expect(sampleOf(text, 'pathmeter_zone_duration_seconds', { stat: 'p99' })).toBe(99 / 1024)
  expect(sampleOf(text, 'pathmeter_zone_duration_seconds', { stat: 'max' })).toBe(100 / 1024)
  clock.advance(30)
  telemetry.sink.record(check, createAttempt({ phases: { connect: 7 / 1024 } }))
  clock.advance(31)
  text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_zone_duration_seconds', { stat: 'max' })).toBe(7 / 1024)
  clock.advance(31)
  text = await scrape(telemetry)
  expect(text.has('pathmeter_zone_duration_seconds')).toBe(false)
  expect(sampleOf(text, 'pathmeter_probes_total', { result: 'ok' })).toBe(101)
})

test('series of a departed peer stay for the time of grace and then go, those of its zone with its last peer', async () => {
  const { clock, telemetry } = start()
  const [n2, n3] = [createCheck(), createCheck({ target: { identity: 'n3' } })]
  for (const check of [n2, n3]) {
    telemetry.sink.begin(check)
    telemetry.sink.record(check, createAttempt())
  }
  telemetry.sink.forget(n2)
  clock.advance(DEPARTED_GRACE - 1)
  expect(sampleOf(await scrape(telemetry), 'pathmeter_probes_total', { dst: 'n2', result: 'ok' })).toBe(1)
  clock.advance(1)
  let text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probes_total', { dst: 'n2', result: 'ok' })).toBeUndefined()
  expect(sampleOf(text, 'pathmeter_syn_retransmits_total', { dst: 'n2' })).toBeUndefined()
  expect(sampleOf(text, 'pathmeter_probes_total', { dst: 'n3', result: 'ok' })).toBe(1)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_count', { dst_zone: 'zone-b' })).toBe(2)

  telemetry.sink.forget(n3)
  clock.advance(DEPARTED_GRACE)
  telemetry.sweep(clock.now())
  text = await scrape(telemetry)
  expect(
    [...text.values()].flatMap(({ lines }) => lines).filter(({ labels }) => 'dst_zone' in labels),
  ).toEqual([])
})

test('a check that is updated or returns within the time of grace keeps its counters', async () => {
  const { clock, telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt())
  const moved = createCheck({ target: { address: '127.0.0.9' } })
  telemetry.sink.begin(moved)
  telemetry.sink.record(moved, createAttempt())
  telemetry.sink.forget(moved)
  clock.advance(DEPARTED_GRACE - 1)
  telemetry.sink.begin(check)
  clock.advance(DEPARTED_GRACE)
  telemetry.sink.record(check, createAttempt())
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probes_total', { dst: 'n2', result: 'ok' })).toBe(3)
  expect(sampleOf(text, 'pathmeter_probe_duration_seconds_count')).toBe(3)
})

test('a check with other options takes over the counters of the one that it replaces', async () => {
  const { clock, telemetry } = start()
  const [before, after] = [createCheck({ id: 'before' }), createCheck({ id: 'after' })]
  telemetry.sink.begin(before)
  telemetry.sink.record(before, createAttempt())
  telemetry.sink.forget(before)
  telemetry.sink.begin(after)
  clock.advance(2 * DEPARTED_GRACE)
  telemetry.sink.record(after, createAttempt())
  expect(sampleOf(await scrape(telemetry), 'pathmeter_probes_total', { result: 'ok' })).toBe(2)
})

test('a peer that moves to another zone leaves its series in the old one', async () => {
  const { clock, telemetry } = start()
  telemetry.sink.begin(createCheck())
  telemetry.sink.begin(createCheck({ target: { zone: 'zone-c' } }))
  clock.advance(DEPARTED_GRACE)
  const lines = (await scrape(telemetry)).get('pathmeter_probes_total')?.lines ?? []
  expect(new Set(lines.map(({ labels }) => labels['dst_zone']))).toEqual(new Set(['zone-c']))
})

test('what arrives after the end of a check makes no series', async () => {
  const { clock, telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.forget(check)
  telemetry.sink.record(check, createAttempt())
  clock.advance(DEPARTED_GRACE)
  telemetry.sweep(clock.now())
  telemetry.sink.record(check, createAttempt())
  telemetry.sink.skipped(check)
  expect((await scrape(telemetry)).has('pathmeter_probes_total')).toBe(false)
})

test('minimal detail leaves out histograms and phases alone', async () => {
  const check = createCheck()
  const kernel = { rtt: 0.0003, synRetransmits: 0, mss: 1448, pathMtu: 1500 }
  const names = await Promise.all(
    (['full', 'minimal'] as const).map(async (detail) => {
      const { telemetry } = start(detail)
      telemetry.sink.begin(check)
      telemetry.sink.record(check, createAttempt({ facts: { kernel } }))
      return [...(await scrape(telemetry)).keys()]
    }),
  )
  const [full = [], minimal = []] = names
  expect(full.filter((name) => !minimal.includes(name))).toEqual([
    'pathmeter_phase_seconds',
    'pathmeter_probe_duration_seconds',
    'pathmeter_tcp_rtt_seconds',
  ])
})

test('a value that is no number stays out', async () => {
  const { telemetry } = start()
  const check = createCheck()
  telemetry.sink.begin(check)
  telemetry.sink.record(check, createAttempt({ phases: { connect: Number.NaN } }))
  const text = await scrape(telemetry)
  expect(sampleOf(text, 'pathmeter_probes_total', { result: 'ok' })).toBe(1)
  expect(text.has('pathmeter_attempt_seconds')).toBe(false)
})
