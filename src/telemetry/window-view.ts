import type { Seconds } from '../model/duration.ts'
import { quantile } from '../model/quantile.ts'
import type { WindowView } from '../model/view.ts'
import type { Slot } from './attempt-ring.ts'

/**
 * Numbers over some slots. Loss leaves out attempts that failed by this agent's own fault, which are no evidence
 * against a path; they are in `failed`.
 */
export function windowView(slots: Iterable<Slot>, seconds: Seconds): WindowView {
  const counts = { ok: 0, failed: 0, skipped: 0, own_failure: 0 }
  let flagged = 0
  const clean: Seconds[] = []
  const spoilt: Seconds[] = []
  const rtts: Seconds[] = []
  for (const slot of slots) {
    counts[slot.result]++
    if (slot.flagged) flagged++
    if (slot.result === 'ok') (slot.flagged ? spoilt : clean).push(slot.duration)
    if (slot.rtt !== undefined) rtts.push(slot.rtt)
  }
  // A node that is always starved still has numbers, with a mark on them.
  const noisy = clean.length === 0 && spoilt.length > 0
  const bad = counts.failed + counts.skipped
  return {
    seconds,
    ok: counts.ok,
    failed: counts.failed + counts.own_failure,
    skipped: counts.skipped,
    flagged,
    ...present('loss', counts.ok + bad === 0 ? undefined : bad / (counts.ok + bad)),
    ...quantiles(noisy ? spoilt : clean),
    ...(noisy ? { noisy } : {}),
    ...present('rttP50', quantile(Float64Array.from(rtts).sort(), 0.5)),
  }
}

function quantiles(durations: readonly Seconds[]): Pick<WindowView, 'p50' | 'p99'> {
  const sorted = Float64Array.from(durations).sort()
  return { ...present('p50', quantile(sorted, 0.5)), ...present('p99', quantile(sorted, 0.99)) }
}

function present<K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: number })
}
