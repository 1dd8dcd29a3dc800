import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lintMetrics, type Row } from '../support/prometheus.ts'
import { waitUntil } from '../support/wait-until.ts'
import { readDocumentedQueries } from './documented-query.ts'
import { type MeshNode, PEERS_OF, type RunningMesh, SCRAPE_EVERY, SCRAPED, startMesh } from './mesh.ts'
import { type FailureWatch, failureKey, watchFailures } from './watch-failures.ts'

/** The ways to probe, with their interval at the defaults. */
const VARIANTS = [
  { probe: 'tcp', connection: 'new', every: 1 },
  { probe: 'http', connection: 'reused', every: 4 },
  { probe: 'http', connection: 'new', every: 15 },
] as const

type Variant = (typeof VARIANTS)[number]

/** Of every probe, at the defaults. */
const LIMIT = 8

/** A connection that was in use at the moment when its peer was killed may end so. */
const CUT = [
  'reset',
  'reset_after_accept',
  'reset_before_response',
  'reuse_reset',
  'closed_after_accept',
].concat('closed_early', 'truncated')

const documented = readDocumentedQueries()
const asked = new Set<string>()

let mesh: RunningMesh

beforeAll(async () => {
  mesh = await startMesh()
}, 90_000)

afterAll(() => mesh?.[Symbol.asyncDispose]())

test('promtool finds nothing to say of the metrics of an agent', async () => {
  expect(lintMetrics(await mesh.agents.n1.metrics())).toEqual({ code: 0, findings: '' })
})

test('no agent is among those that cannot be scraped', async () => {
  await waitUntil(async () => (await query('up == 1')).length === SCRAPED.length, {
    withinMs: 4 * SCRAPE_EVERY * 1000,
    what: 'Prometheus has scraped every agent',
  })
  expect(await ask('Agents that cannot be scraped')).toEqual([])
})

describe('a mesh that is left alone for a minute', () => {
  beforeAll(async () => {
    await waitUntil(async () => (await query('up offset 1m')).length === SCRAPED.length, {
      withinMs: 90_000,
      everyMs: 500,
      what: 'a minute has passed since the first scrape of every agent',
    })
  }, 100_000)

  test('is scraped by Prometheus, which asks for OpenMetrics, without an error', async () => {
    expect(await mesh.prometheus.targets()).toEqual(
      SCRAPED.map(() => expect.objectContaining({ health: 'up', lastError: '' })),
    )
    expect(await query('min_over_time(up[1m]) < 1')).toEqual([])
  })

  test('has attempts on every path, as many as its intervals say', async () => {
    const rows = await ask('Attempts per path')
    expect(keys(rows, PATH)).toEqual(pathsFrom(SCRAPED))
    const odd = rows.filter(({ labels, value }) => {
      const nominal = 60 / intervalOf(labels)
      // A busy machine makes an agent sleep through slots, and increase() extrapolates.
      return value < nominal / 2 || value > 1.25 * nominal + 1
    })
    expect(odd, await evidence()).toEqual([])
  })

  test('shows the round trip of each pair of zones, and of each path', async () => {
    const pairs = await ask('Round trip per zone pair')
    expect(keys(pairs, ['src_zone', 'dst_zone'])).toEqual(ZONE_PAIRS)
    const paths = await ask('Round trip per path')
    expect(keys(paths, ['src', 'dst'])).toEqual([...new Set(pathsFrom(SCRAPED).map(edgeOf))].sort())
    for (const { value } of [...pairs, ...paths]) expect(value).toSatisfy(isDuration)
  })

  test('shows the duration of probes of each pair of zones', async () => {
    const labels = ['src_zone', 'dst_zone', 'probe', 'connection']
    const all = await ask('Duration of all attempts per zone pair')
    expect(keys(all, labels)).toEqual(zonePathsOf(VARIANTS))
    // Where a busy machine has held up every attempt of a minute there is no median: of the few by http that happens.
    const medians = await ask('Duration per zone pair')
    expect(zonePathsOf(VARIANTS)).toEqual(expect.arrayContaining([...keys(medians, labels)]))
    const ofTcp = VARIANTS.filter(({ probe }) => probe === 'tcp')
    expect(keys(medians, labels), await evidence()).toEqual(expect.arrayContaining([...zonePathsOf(ofTcp)]))
    for (const { value } of [...all, ...medians]) expect(value).toSatisfy(isDuration)
  })

  test('has no failure, and says of each path that 0 of its attempts were lost', async () => {
    expect(await ask('Failures by reason'), await evidence()).toEqual([])
    const losses = await ask('Loss per path')
    expect(keys(losses, PATH)).toEqual(pathsFrom(SCRAPED))
    expect(losses.filter(({ value }) => value !== 0)).toEqual([])
    const attempts = await ask('Attempts behind a loss')
    expect(keys(attempts, PATH)).toEqual(pathsFrom(SCRAPED))
    expect(attempts.filter(({ value }) => value < 1)).toEqual([])
  })
})

describe('a mesh in which one agent is frozen, one killed, one replaced on its address, one drained and removed', () => {
  /** Sources that see it all: the third is the frozen one. */
  const observers = ['n1', 'n3'] as const
  let watch: FailureWatch
  let brokenAt = 0
  let replacedAt = 0
  let reloadedAt = 0
  let drainedExitCode: number | null
  /** Failures of before, by their keys: agents that started first have found the others missing. */
  let before: ReadonlyMap<string, number>
  let frozen: { down: readonly Row[]; lag: number }

  beforeAll(async () => {
    const { n2, n4, n5, n6 } = mesh.agents
    before = new Map((await query(ALL_FAILURES)).map((row) => [failureKey(row), row.value]))
    watch = watchFailures(() => ask('Failures by reason'))
    brokenAt = performance.now()
    n2.signal('SIGSTOP')
    n4.signal('SIGKILL')
    n5.signal('SIGKILL')
    n6.signal('SIGTERM')
    const replaced = mesh.replace('n5').then(() => performance.now())
    ;[drainedExitCode, replacedAt] = await Promise.all([n6.exited.then(removeDrained), replaced])
    await sleep(brokenAt + 1000 * (15 + LIMIT + SCRAPE_EVERY + 2) - performance.now())
    await watch.stop()
    frozen = { down: await ask('Agents that cannot be scraped'), lag: (performance.now() - brokenAt) / 1000 }
    n2.signal('SIGCONT')
  }, 60_000)

  afterAll(() => watch?.stop())

  async function removeDrained(exitCode: number | null): Promise<number | null> {
    await waitUntil(() => observers.every((src) => watch.firstSeen.has(`${src} n6 tcp new draining`)), {
      withinMs: 15_000,
      what: 'Prometheus shows that n6 was draining',
    })
    for (const node of observers) await mesh.removePeer(node, 'n6')
    const answer = await fetch(`http://${mesh.agents.n1.instance}/-/reload`, { method: 'POST' })
    expect(answer.status).toBe(200)
    mesh.agents.n3.signal('SIGHUP')
    reloadedAt = performance.now()
    return exitCode
  }

  /** Seconds until Prometheus told of a failure. */
  function secondsUntil(failure: string, since: number): number {
    return ((watch.firstSeen.get(failure) ?? Number.NaN) - since) / 1000
  }

  test.for(observers)('%s shows what happened by tcp within 15 s', (src) => {
    expect(secondsUntil(`${src} n2 tcp new timeout_first_byte`, brokenAt)).toBeLessThan(15)
    expect(secondsUntil(`${src} n4 tcp new refused`, brokenAt)).toBeLessThan(15)
    expect(secondsUntil(`${src} n5 tcp new wrong_peer`, replacedAt)).toBeLessThan(15)
  })

  test.for(observers)('%s shows what happened by http within an interval, the limit and a scrape', (src) => {
    for (const { probe, connection, every } of VARIANTS.filter((variant) => variant.probe === 'http')) {
      const bound = every + LIMIT + SCRAPE_EVERY + 1
      const how = `${probe} ${connection}`
      expect(secondsUntil(`${src} n2 ${how} timeout_first_byte`, brokenAt)).toBeLessThan(bound)
      expect(secondsUntil(`${src} n4 ${how} refused`, brokenAt)).toBeLessThan(bound)
      expect(secondsUntil(`${src} n5 ${how} wrong_peer`, replacedAt)).toBeLessThan(bound)
    }
  })

  test('a drained agent ends with exit code 0', () => {
    expect(drainedExitCode).toBe(0)
  })

  test('the frozen agent is the one that cannot be scraped', () => {
    expect(frozen.down.map(({ labels }) => labels['instance'])).toEqual([mesh.agents.n2.instance])
  })

  test.for(observers)('%s keeps the series of a peer that a reload has removed for a while', async (node) => {
    expect(performance.now() - reloadedAt).toBeLessThan(60_000)
    expect(await mesh.agents[node].metrics()).toContain('dst="n6"')
  })

  test('the frozen agent is probed again once it goes on, and says how long it was held up', async () => {
    const healed = 'increase(pathmeter_probes_total{dst="n2", probe="tcp", result="ok"}[15s]) > 5'
    await waitUntil(async () => (await query(healed)).length === observers.length, {
      withinMs: 30_000,
      everyMs: 500,
      what: 'n1 and n3 reach n2 again',
    })
    const [lag] = await query(`pathmeter_event_loop_lag_seconds_total{instance="${mesh.agents.n2.instance}"}`)
    expect(lag?.value).toBeGreaterThan(frozen.lag - 1)
  }, 40_000)

  test('a peer that a reload has removed loses its series within 2 min', async () => {
    await waitUntil(async () => (await query('{dst="n6"}')).length === 0, {
      withinMs: reloadedAt + 120_000 - performance.now(),
      everyMs: 500,
      what: 'Prometheus has no series of n6 any more',
    })
    for (const node of observers) expect(await mesh.agents[node].metrics()).not.toContain('dst="n6"')
  }, 130_000)

  test('in the end every attempt to a dead or replaced node is lost, and none to another', async () => {
    const rows = await ask('Loss per path')
    expect(keys(rows, PATH)).toEqual(pathsFrom(SCRAPED).filter((path) => !path.includes('n6')))
    const odd = rows.filter(({ labels, value }) => value !== (/n[45]/.test(labels['dst'] ?? '') ? 1 : 0))
    expect(odd, await evidence()).toEqual([])
  })

  test('nothing else has failed all the while, and a drained peer only as draining', async () => {
    const rows = await query(ALL_FAILURES)
    const since = rows.map((row) => ({ ...row, value: row.value - (before.get(failureKey(row)) ?? 0) }))
    const odd = since.filter((row) => row.value > 0 && !isExpected(row))
    expect(
      odd.map((row) => `${failureKey(row)} ${row.value}`),
      await evidence(),
    ).toEqual([])
  })

  function isExpected({ labels, value }: Row): boolean {
    const { src, dst, reason = '' } = labels
    const gap = (replacedAt - brokenAt) / 1000 / intervalOf(labels)
    if (dst === 'n2') return src !== 'n2' && reason === 'timeout_first_byte'
    if (dst === 'n4') return reason === 'refused' || (CUT.includes(reason) && value <= 1)
    if (dst === 'n5') {
      // Nobody listens between the one and the other.
      return reason === 'wrong_peer' || ((reason === 'refused' || CUT.includes(reason)) && value <= gap + 1)
    }
    return dst === 'n6' && reason === 'draining'
  }
})

test('every documented query has been asked', () => {
  expect([...asked].sort()).toEqual([...documented.keys()].sort())
})

/** Counters of failures since the agents began, also those that are not there any more. */
const ALL_FAILURES = `sum by (src, dst, probe, connection, reason) (
  last_over_time(pathmeter_probe_failures_total[15m])
  * on (job, instance) group_left (src) label_replace(pathmeter_agent_info, "src", "$1", "node", "(.+)")
)`

const PATH = ['src', 'dst', 'probe', 'connection'] as const

const ZONE_PAIRS = ['zone-a', 'zone-b', 'zone-c'].flatMap((src, _, zones) =>
  zones.map((dst) => `${src} ${dst}`),
)

/** Every pair of zones and way to probe as `src_zone dst_zone probe connection`, in order. */
function zonePathsOf(variants: readonly Variant[]): readonly string[] {
  return ZONE_PAIRS.flatMap((pair) =>
    variants.map(({ probe, connection }) => `${pair} ${probe} ${connection}`),
  ).sort()
}

/** Every path as `src dst probe connection`, in order. */
function pathsFrom(sources: readonly MeshNode[]): readonly string[] {
  const edges = sources.flatMap((src) => PEERS_OF[src].map((dst) => `${src} ${dst}`))
  return edges
    .flatMap((edge) => VARIANTS.map(({ probe, connection }) => `${edge} ${probe} ${connection}`))
    .sort()
}

function edgeOf(path: string): string {
  return path.split(' ', 2).join(' ')
}

function keys(rows: readonly Row[], labels: readonly string[]): readonly string[] {
  return rows.map((row) => labels.map((label) => row.labels[label]).join(' ')).sort()
}

function intervalOf(labels: Row['labels']): number {
  const variant = VARIANTS.find(
    ({ probe, connection }) => probe === labels['probe'] && connection === labels['connection'],
  )
  if (variant === undefined) throw new Error(`Cannot tell the interval of ${JSON.stringify(labels)}`)
  return variant.every
}

function isDuration(value: number): boolean {
  return value > 0 && value < LIMIT
}

function query(expression: string): Promise<readonly Row[]> {
  return mesh.prometheus.query(expression)
}

/** Asks what the documentation tells to ask. */
function ask(heading: string): Promise<readonly Row[]> {
  const expression = documented.get(heading)
  if (expression === undefined) throw new Error(`Cannot find "${heading}" in docs/queries.md`)
  asked.add(heading)
  return query(expression)
}

/** What tells a starved machine from a fault. */
async function evidence(): Promise<string> {
  const expressions = [
    'pathmeter_scheduler_start_delay_seconds{stat="max"}',
    'increase(pathmeter_run_queue_wait_seconds_total[1m])',
    'increase(pathmeter_slots_skipped_total[1m])',
    'pathmeter_samples_flagged_total',
    'pathmeter_probe_failures_total',
  ]
  const answers = await Promise.all(expressions.map(query))
  const lines = answers.flatMap((rows, i) =>
    rows.map(({ labels, value }) => `${expressions[i]} ${JSON.stringify(labels)} ${value}`),
  )
  return lines.join('\n')
}
