import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import type { Check, CheckId } from '../../src/model/check.ts'
import type { Instant } from '../../src/model/clock.ts'
import { durationOf } from '../../src/model/observation.ts'
import { Supervisor } from '../../src/run/supervisor.ts'
import { tcpCheck } from '../support/checks.ts'
import { openIo } from '../support/io.ts'
import { startFullListener } from '../support/native-sockets.ts'
import { isSilent, startPeer } from '../support/peers.ts'
import { openResponder } from '../support/responder.ts'
import { createRecordingSink, type RecordingSink } from './recording-sink.ts'

const PEERS = 10
/** Fast, so that a short test has many attempts; a limit of 8 intervals, as at the defaults. */
const EVERY = 0.2
const LIMIT = 1.6
/** Seconds in which the attempts start that are counted. */
const WINDOW = 4

test.for([
  ['accepts and never answers', 'timeout_first_byte', () => startPeer(isSilent)],
  ['drops every SYN', 'timeout_connect', () => startFullListener()],
] as const)('one of ten peers that %s shows as a tenth lost in tcp', async ([, reason, startDead]) => {
  await using io = await openIo()
  await using dead = await startDead()
  await using responder = await openResponder()
  const sink = createRecordingSink()
  await using supervisor = new Supervisor({ kinds, io, sink, onFault })
  const ports = [dead.port, ...Array.from({ length: PEERS - 1 }, () => responder.ports.tcp)]
  await supervisor.reconcile(ports.map(fastCheck))

  const from = io.clock.now()
  // Slots that are due at the end of it still get their answer, or none.
  await untilLater(WINDOW + LIMIT + 0.5, supervisor)
  const { lost, all } = countResults(sink, from, from + WINDOW)
  // What this process slept through is missing on both sides.
  expect(all).toBeGreaterThan((PEERS * WINDOW) / EVERY / 2)
  expect(Math.abs(lost - Math.round(all / PEERS)), `${lost} of ${all}`).toBeLessThanOrEqual(1)
  const failures = sink.records.filter(({ observation }) => observation.failure !== undefined)
  expect([...new Set(failures.map(({ check }) => check.id))]).toEqual(['check-0'])
  expect([...new Set(failures.map(({ observation }) => observation.failure?.reason))]).toEqual([reason])
  for (const { observation } of failures) {
    expect(Math.abs(durationOf(observation) - LIMIT)).toBeLessThan(0.1 + (observation.noise.own ?? 0))
  }
})

function fastCheck(port: number, index: number): Check {
  return { ...tcpCheck(port), id: `check-${index}` as CheckId, every: EVERY, limit: LIMIT, overlap: 8 }
}

/** Slots from `from` to before `to`, and those of them that count as lost. */
function countResults({ records, skips }: RecordingSink, from: Instant, to: Instant) {
  const isIn = ({ at }: { readonly at: Instant }) => from <= at && at < to
  const attempts = records.map(({ observation }) => observation).filter(isIn)
  const skipped = skips.filter(isIn).length
  const failed = attempts.filter(({ failure }) => failure !== undefined).length
  return { lost: failed + skipped, all: attempts.length + skipped }
}

/** Lets time pass, in which at each moment every slot must be accounted for. */
async function untilLater(seconds: number, supervisor: Supervisor): Promise<void> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const { due, finished, inFlight, cancelled, skipped } = supervisor.count()
    expect(finished + inFlight + cancelled + skipped).toBe(due)
    await sleep(7)
  }
}

function onFault(error: unknown): void {
  throw error
}
