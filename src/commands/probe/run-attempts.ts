import { setTimeout as sleep } from 'node:timers/promises'
import { kinds } from '../../kinds/index.ts'
import type { Io } from '../../kinds/kind.ts'
import type { Check } from '../../model/check.ts'
import type { Observation } from '../../model/observation.ts'
import { startDeadline } from '../../net/deadline.ts'
import type { ProbeAttempt } from './attempts.ts'

/**
 * Makes `count` attempts one after another, each `check.every` after the start of the one before, or later when that
 * took longer. Ends early once `signal` is aborted; an attempt that is cut short is none.
 */
export async function* runAttempts(
  check: Check,
  count: number,
  io: Io,
  signal: AbortSignal,
): AsyncGenerator<ProbeAttempt, void, undefined> {
  const { clock } = io
  const seen: Observation[] = []
  await using prober = kinds[check.kind].bind(check, io, (observation) => seen.push(observation))
  let dueAt = clock.now()
  for (let i = 0; i < count && !signal.aborted; i++) {
    if (!(await passed(dueAt - clock.now(), signal))) return
    dueAt = clock.now() + check.every
    using deadline = startDeadline({ limit: check.limit, parent: signal, clock })
    await prober.attempt(deadline.signal)
    for (const each of seen.splice(0)) yield { at: clock.wall() - (clock.now() - each.at), seen: each }
  }
}

/** Waits; false when `signal` is aborted first. */
async function passed(seconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(Math.max(0, seconds * 1000), undefined, { signal })
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  }
}
