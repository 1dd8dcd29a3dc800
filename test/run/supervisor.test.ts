import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import type { Kind } from '../../src/kinds/kind.ts'
import type { Check, CheckId, Sink } from '../../src/model/check.ts'
import type { AgentFamily } from '../../src/model/family.ts'
import { Supervisor } from '../../src/run/supervisor.ts'
import { createTelemetry } from '../../src/telemetry/create-telemetry.ts'
import { placeAgent, startAgentProcess } from '../support/agent-process.ts'
import { httpCheck, PEER_NODE, tcpCheck } from '../support/checks.ts'
import { startChild } from '../support/child-process.ts'
import { openIo, type TestIo } from '../support/io.ts'
import { startFullListener } from '../support/native-sockets.ts'
import { isSilent, startPeer } from '../support/peers.ts'
import { openResponder } from '../support/responder.ts'
import { createTempDir } from '../support/temp-dir.ts'
import { waitUntil } from '../support/wait-until.ts'
import { parseExposition, sampleOf } from '../telemetry/parse-exposition.ts'
import { createRecordingSink } from './recording-sink.ts'
import { createScriptedKind } from './scripted-kind.ts'

test('a check that is planned anew unchanged keeps its prober', async () => {
  await using io = await openIo()
  const kind = createScriptedKind({ answersIn: 1 })
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink, kind)
  await supervisor.reconcile([checkTo('a'), checkTo('b')])
  await supervisor.reconcile([checkTo('b'), checkTo('a')])
  expect(kind.bound.map(({ check }) => check.id)).toEqual(['a', 'b'])
  expect(kind.bound.map(({ prober }) => prober.disposals)).toEqual([0, 0])
  expect(sink.begun).toHaveLength(2)
  expect(sink.forgotten).toEqual([])
})

test('a check that is planned anew unchanged keeps its connection', async () => {
  await using io = await openIo()
  await using responder = await openResponder()
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink)
  const check = { ...httpCheck(responder.ports.http, {}, 'reused'), every: 0.1 }
  await supervisor.reconcile([check])
  await waitUntil(() => sink.records.length >= 2, { withinMs: 5000, what: 'two attempts' })
  await supervisor.reconcile([structuredClone(check)])
  const before = sink.records.length
  await waitUntil(() => sink.records.length > before, { withinMs: 5000, what: 'an attempt after that' })
  const facts = sink.records.map(({ observation }) => observation.facts)
  expect(facts.slice(1)).toEqual(facts.slice(1).map(() => expect.objectContaining({ reused: true })))
})

test('a check with another address gets a new prober, and its counters go on', async () => {
  await using io = await openIo()
  const kind = createScriptedKind({ answersIn: 1 })
  const telemetry = createTelemetry({
    kinds: { tcp: [] },
    clock: io.clock,
    self: { node: 'n1', zone: 'zone-a' },
    version: '0',
  })
  await using supervisor = startSupervisor(io, telemetry.sink, kind)
  telemetry.addCollector(supervisor)
  const count = async () => {
    const families = parseExposition((await telemetry.render(undefined)).body.toString())
    return {
      ok: sampleOf(families, 'pathmeter_probes_total', { result: 'ok' }) ?? 0,
      due: sampleOf(families, 'pathmeter_due_slots_total') ?? 0,
    }
  }
  const check = checkTo('a')
  await supervisor.reconcile([check])
  await waitUntil(async () => (await count()).ok >= 2, { withinMs: 5000, what: 'two attempts' })
  const before = await count()
  await supervisor.reconcile([{ ...check, target: { ...check.target, address: '127.0.0.2' } }])
  const after = await count()
  expect(after.ok).toBeGreaterThanOrEqual(before.ok)
  expect(after.due).toBeGreaterThanOrEqual(before.due)
  expect(kind.bound.map(({ check: { target } }) => target.address)).toEqual(['127.0.0.1', '127.0.0.2'])
  expect(kind.bound.map(({ prober }) => prober.disposals)).toEqual([1, 0])
  await waitUntil(async () => (await count()).ok > after.ok, { withinMs: 5000, what: 'another attempt' })
})

test('a check that is planned no more is disposed and forgotten, and is probed no more', async () => {
  await using io = await openIo()
  const kind = createScriptedKind({ answersIn: 1 })
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink, kind)
  await supervisor.reconcile([checkTo('a'), checkTo('b')])
  await supervisor.reconcile([checkTo('b')])
  expect(sink.forgotten.map(({ id }) => id)).toEqual(['a'])
  expect(supervisor.checks.map(({ id }) => id)).toEqual(['b'])
  const [a, b] = kind.bound
  expect([a?.prober.disposals, b?.prober.disposals]).toEqual([1, 0])
  const begun = a?.prober.begun
  const recorded = sink.records.length
  await waitUntil(() => sink.records.length > recorded + 2, { withinMs: 5000, what: 'attempts of the other' })
  expect(a?.prober.begun).toBe(begun)
})

test('an abort ends every attempt within 50 ms, whatever it waits for', async () => {
  await using io = await openIo()
  await using silent = await startPeer(isSilent)
  await using full = await startFullListener()
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink)
  await supervisor.reconcile(
    [
      tcpCheck(silent.port),
      tcpCheck(full.port),
      httpCheck(silent.port),
      httpCheck(silent.port, {}, 'reused'),
      httpCheck(silent.port, { tls: true }),
    ].map((check, i) => ({ ...check, id: `check-${i}` as CheckId, every: 0.1, limit: 30 })),
  )
  await waitUntil(() => supervisor.count().inFlight === 5, { withinMs: 5000, what: 'every check waits' })
  // Not all of them have sent their SYN in the same turn of the loop.
  await waitUntil(() => silent.accepted >= 4, { withinMs: 5000, what: 'the silent peer has accepted' })
  const mark = io.starvation.mark()
  await supervisor.reconcile([])
  const elapsed = io.clock.now() - mark.at
  expect(elapsed - io.starvation.since(mark)).toBeLessThan(0.05)
  expect(sink.records).toEqual([])
})

test('a supervisor that ends cancels everything, forgets no series and starts nothing more', async () => {
  await using io = await openIo()
  const kind = createScriptedKind('silent')
  const sink = createRecordingSink()
  const supervisor = startSupervisor(io, sink, kind)
  await supervisor.reconcile([checkTo('a')])
  await waitUntil(() => supervisor.count().inFlight > 0, { withinMs: 5000, what: 'an attempt' })
  await supervisor[Symbol.asyncDispose]()
  await supervisor.reconcile([checkTo('b')])
  expect(kind.bound.map(({ prober }) => prober.disposals)).toEqual([1])
  expect(sink.forgotten).toEqual([])
  expect(supervisor.checks).toEqual([])
})

test('a prober that throws counts as a fault, and the schedule goes on', async () => {
  await using io = await openIo()
  const kind = createScriptedKind({ throwsIn: 1 })
  const faults: [unknown, CheckId][] = []
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink, kind, (error, { id }) => faults.push([error, id]))
  await supervisor.reconcile([checkTo('a')])
  await waitUntil(() => faults.length >= 3, { withinMs: 5000, what: 'three faults' })
  expect(faults[0]).toEqual([new Error('A fault'), 'a'])
  expect(readValue(supervisor, 'attempt_faults_total')).toBe(faults.length)
  expect(sink.records).toEqual([])
})

test('slots that pass while the process cannot run are skipped as late, and none is made up for', async () => {
  await using io = await openIo()
  const kind = createScriptedKind({ answersIn: 1 })
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink, kind)
  await supervisor.reconcile([checkTo('a')])
  await waitUntil(() => sink.records.length > 0, { withinMs: 5000, everyMs: 5, what: 'an attempt' })
  const begun = () => kind.bound[0]?.prober.begun ?? 0
  const late = () => readValue(supervisor, 'slots_skipped_total', 'late')
  const before = { at: io.clock.now(), begun: begun(), late: late(), due: supervisor.count().due }
  stopThisThread(1000)
  await waitUntil(() => begun() > before.begun + 1, { withinMs: 5000, everyMs: 5, what: 'two attempts more' })
  const slots = supervisor.count().due - before.due
  expect(slots).toBeGreaterThanOrEqual(10)
  expect(slots).toBe(begun() - before.begun + late() - before.late)
  // One for each interval that was not slept through, and one at the end of the sleep.
  const awake = io.clock.now() - before.at - 1
  expect(begun() - before.begun).toBeLessThanOrEqual(awake / EVERY + 2)
  expect(sink.skips).toEqual([])
})

test('after a pause what has arrived is read before a kept connection is used', async () => {
  await using io = await openIo()
  await using dir = await createTempDir()
  const place = await placeAgent(PEER_NODE, 'zone-b')
  const peers = [await placeAgent('elsewhere', 'zone-c')]
  await using peer = await startAgentProcess({ ...place, peers, dir: dir.path })
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink)
  await supervisor.reconcile([{ ...httpCheck(place.ports.http, {}, 'reused'), every: 0.1 }])
  await waitUntil(() => sink.records.length >= 2, { withinMs: 5000, what: 'two attempts' })
  await using _killer = await startChild({
    command: 'sh',
    args: ['-c', `sleep 0.5; kill -9 ${peer.pid}`],
  })
  stopThisThread(1500)
  const failed = await waitUntil(
    () => sink.records.find(({ observation }) => observation.failure !== undefined),
    { withinMs: 5000, what: 'an attempt that finds the peer gone' },
  )
  expect(failed.observation).toMatchObject({
    failure: { reason: 'refused', phase: 'connect' },
    facts: { reconnected: true },
  })
})

test('slots for which every place is taken are skipped as busy, and the sink is told', async () => {
  await using io = await openIo()
  const sink = createRecordingSink()
  await using supervisor = startSupervisor(io, sink, createScriptedKind('silent'))
  await supervisor.reconcile([{ ...checkTo('a'), limit: 30, overlap: 2 }])
  await waitUntil(() => sink.skips.length >= 2, { withinMs: 5000, what: 'two skipped slots' })
  expect(supervisor.count().inFlight).toBe(2)
  expect(readValue(supervisor, 'slots_skipped_total', 'busy')).toBe(sink.skips.length)
})

const EVERY = 0.1

function checkTo(id: string): Check {
  return { ...tcpCheck(1), id: id as CheckId, every: EVERY, limit: 5, overlap: 1 }
}

/** @param kind for every check; by default each has its real one */
function startSupervisor(
  io: TestIo,
  sink: Sink,
  kind?: Kind,
  onFault: (error: unknown, check: Check) => void = (error) => {
    throw error
  },
): Supervisor {
  return new Supervisor({ kinds: kind === undefined ? kinds : { tcp: kind, http: kind }, io, sink, onFault })
}

function readValue(supervisor: Supervisor, family: AgentFamily['name'], reason?: string): number {
  const samples = [...supervisor.collect(0)]
    .filter((collected) => collected.family.name === family)
    .flatMap((collected) => [...collected.samples])
  return samples.find(({ labels }) => reason === undefined || labels?.['reason'] === reason)?.value ?? 0
}

/** Nothing of this process runs meanwhile, as if it were frozen. */
function stopThisThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
