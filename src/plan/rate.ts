import type { Check } from '../model/check.ts'
import { formatDuration, type Seconds } from '../model/duration.ts'
import type { Problem } from '../model/problem.ts'
import { rateOf, withEvery } from './timing.ts'

/** Attempts per second that one agent may start, however many peers it has: about 2 % of a core at 0.2 ms each. */
export const ATTEMPTS_CAP = 100

/** Shortest interval of a check. */
const SHORTEST_INTERVAL: Seconds = 0.1

/** Rates that were stretched to the cap add up to it but for rounding. */
const ROUNDING = 1 + 1e-9

/** Attempts per second that these checks start. */
export function attemptRate(checks: readonly Check[]): number {
  return checks.reduce((sum, check) => sum + rateOf(check), 0)
}

export interface Stretched {
  readonly checks: readonly Check[]
  /** What every interval was multiplied by: 1 where the rate is within the cap. */
  readonly factor: number
}

/** Lengthens all intervals by one factor, so that the checks together stay within `cap` attempts per second. */
export function stretchToCap(checks: readonly Check[], cap: number = ATTEMPTS_CAP): Stretched {
  const factor = stretchFactor(attemptRate(checks), cap)
  if (factor === 1) return { checks, factor }
  const stretch = (check: Check) => (rateOf(check) === 0 ? check : withEvery(check, check.every * factor))
  return { checks: checks.map(stretch), factor }
}

/** What intervals must be multiplied by for `rate` attempts per second to come within `cap`: 1 where they are. */
export function stretchFactor(rate: number, cap: number = ATTEMPTS_CAP): number {
  return rate > cap * ROUNDING ? rate / cap : 1
}

/**
 * What is wrong with the rate of those checks that follow from the configuration alone (static peers, loopback), to
 * be refused at load: an interval below the floor, or all together above the cap.
 */
export function rateProblems(checks: readonly Check[], cap: number = ATTEMPTS_CAP): readonly Problem[] {
  const ways = new Map<string, Check[]>()
  for (const check of checks) {
    const way = `${check.kind} ${check.connection}`
    ways.set(way, [...(ways.get(way) ?? []), check])
  }
  const problems: Problem[] = []
  for (const [way, [check]] of ways) {
    if (check === undefined || check.every >= SHORTEST_INTERVAL) continue
    const message = `the interval of ${way} must be at least ${formatDuration(SHORTEST_INTERVAL)}, got "${formatDuration(check.every)}"`
    problems.push({ path: `probes.${check.kind}`, message })
  }
  const rate = attemptRate(checks)
  if (stretchFactor(rate, cap) > 1) {
    const shares = [...ways].map(([way, those]) => `${way} ${shown(attemptRate(those))}`).join(', ')
    const message = `must start at most ${cap} attempts per second in all, got ${shown(rate)} (${shares})`
    problems.push({ path: 'probes', message })
  }
  return problems
}

function shown(rate: number): string {
  return String(Math.round(rate * 100) / 100)
}
