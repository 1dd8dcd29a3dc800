import type { Seconds } from '../../model/duration.ts'
import { durationOf, flaggedBy, type Observation } from '../../model/observation.ts'
import { quantile } from '../../model/quantile.ts'

/** One attempt of a one-off probe. */
export interface ProbeAttempt {
  /** When it started, seconds since the Unix epoch. */
  readonly at: Seconds
  readonly seen: Observation
}

/** Numbers over the attempts of a one-off probe. */
export interface ProbeSummary {
  readonly attempts: number
  readonly ok: number
  readonly failed: number
  /** Successes whose times a starved end has spoilt: kept out of the quantiles. */
  readonly flagged: number
  /** Failed of all, 0 to 1. Absent without attempts. */
  readonly loss?: number
  /** Of successes that are not flagged; towards a kept connection, of those on it. */
  readonly p50?: Seconds
  readonly p99?: Seconds
  readonly max?: Seconds
  /** Kernel round trip, clean samples. */
  readonly rttP50?: Seconds
}

/** @param kept whether the attempts were due on a kept connection */
export function summarize(attempts: readonly ProbeAttempt[], kept: boolean): ProbeSummary {
  const successes = attempts.filter(({ seen }) => seen.failure === undefined)
  const clean = successes.filter(({ seen }) => flaggedBy(seen) === undefined)
  const counted = kept ? clean.filter(({ seen }) => !madeConnection(seen)) : clean
  const durations = sorted(counted.map(({ seen }) => durationOf(seen)))
  const rtts = sorted(attempts.flatMap(({ seen }) => seen.facts.kernel?.rtt ?? []))
  const failed = attempts.length - successes.length
  return {
    attempts: attempts.length,
    ok: successes.length,
    failed,
    flagged: successes.length - clean.length,
    ...present('loss', attempts.length === 0 ? undefined : failed / attempts.length),
    ...present('p50', quantile(durations, 0.5)),
    ...present('p99', quantile(durations, 0.99)),
    ...present('max', quantile(durations, 1)),
    ...present('rttP50', quantile(rtts, 0.5)),
  }
}

/** 0 when all was fine, 1 when something failed or nothing was measured. */
export function exitCodeOf({ ok, failed }: ProbeSummary): number {
  return ok > 0 && failed === 0 ? 0 : 1
}

/** Whether this attempt made the connection that it ran on. */
export function madeConnection({ phases }: Observation): boolean {
  return phases.connect !== undefined
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort()
}

function present<K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: number })
}
