import type { Io, Kind } from '../kinds/kind.ts'
import type { Check } from '../model/check.ts'
import type { Observation } from '../model/observation.ts'
import { Cancelled, startDeadline } from '../net/deadline.ts'

/**
 * One fresh attempt outside the schedule, with a prober of its own. For a kept connection it is the second
 * attempt, on the connection that the first has made.
 *
 * @returns what was seen last; undefined when `signal` was aborted first
 */
export async function probeOnce(
  kind: Kind,
  check: Check,
  io: Io,
  signal: AbortSignal,
): Promise<Observation | undefined> {
  let seen: Observation | undefined
  await using prober = kind.bind(check, io, (observation) => {
    seen = { ...observation, extra: true }
  })
  const attempts = check.connection === 'reused' ? 2 : 1
  for (let i = 0; i < attempts; i++) {
    using deadline = startDeadline({ limit: check.limit, parent: signal, clock: io.clock })
    await prober.attempt(deadline.signal)
    if (deadline.signal.reason instanceof Cancelled) return undefined
    if (seen?.failure !== undefined) return seen
  }
  return seen
}
