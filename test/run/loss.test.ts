import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import type { Check, CheckId } from '../../src/model/check.ts'
import type { Instant } from '../../src/model/clock.ts'
import { durationOf, flaggedBy } from '../../src/model/observation.ts'
import { Supervisor } from '../../src/run/supervisor.ts'
import { tcpCheck } from '../support/checks.ts'
import { openIo, type TestIo } from '../support/io.ts'
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

/** Windows that are tried for one in which the machine lets a healthy attempt have its answer in time. */
const TRIES = 4

test.for([
  ['accepts and never answers', 'timeout_first_byte', () => startPeer(isSilent)],
  ['drops every SYN', 'timeout_connect', () => startFullListener()],
] as const)(
  'one of ten peers that %s shows as a tenth lost in tcp',
  { timeout: 60_000 },
  async ([, reason, startDead]) => {
    await using io = await openIo()
    await using dead = await startDead()
    await using responder = await openResponder()
    const ports = [dead.port, ...Array.from({ length: PEERS - 1 }, () => responder.ports.tcp)]
    const window = await measure(io, ports.map(fastCheck))

    const lost = window.failures.length + window.skipped
    // What this process slept through is missing on both sides.
    expect(window.all).toBeGreaterThan((PEERS * WINDOW) / EVERY / 2)
    expect(Math.abs(lost - Math.round(window.all / PEERS)), `${lost} of ${window.all}`).toBeLessThanOrEqual(1)
    // Attempts overlap: few slots find every place taken.
    expect(window.skipped).toBeLessThan(lost / 4)
    for (const { check, observation } of window.failures) {
      expect(check.id).toBe('check-0')
      expect(observation.failure?.reason).toBe(reason)
      expect(Math.abs(durationOf(observation) - LIMIT)).toBeLessThan(0.1 + (observation.noise.own ?? 0))
    }
  },
)

interface Window {
  /** Slots that started or were skipped in it. */
  readonly all: number
  readonly skipped: number
  readonly failures: RecordingSink['records']
}

async function measure(io: TestIo, checks: readonly Check[]): Promise<Window> {
  for (let tries = 1; ; tries++) {
    const sink = createRecordingSink()
    await using supervisor = new Supervisor({ kinds, io, sink, onFault })
    await supervisor.reconcile(checks)
    const from = io.clock.now()
    // Slots that are due at the end of it still get their answer, or none.
    await untilLater(WINDOW + LIMIT + 0.5, supervisor)
    const window = windowOf(sink, from, from + WINDOW)
    if (tries === TRIES || !window.failures.some(isOfThisMachine)) return window
  }
}

/** Whether a peer that is well did not answer in time because this process could not run. */
function isOfThisMachine({ check, observation }: RecordingSink['records'][number]): boolean {
  return check.id !== 'check-0' && flaggedBy(observation) === 'own'
}

function fastCheck(port: number, index: number): Check {
  return { ...tcpCheck(port), id: `check-${index}` as CheckId, every: EVERY, limit: LIMIT, overlap: 8 }
}

function windowOf({ records, skips }: RecordingSink, from: Instant, to: Instant): Window {
  const isIn = ({ at }: { readonly at: Instant }) => from <= at && at < to
  const attempts = records.filter(({ observation }) => isIn(observation))
  const skipped = skips.filter(isIn).length
  return {
    all: attempts.length + skipped,
    skipped,
    failures: attempts.filter(({ observation }) => observation.failure !== undefined),
  }
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
