import type { Instant } from './clock.ts'
import type { Seconds } from './duration.ts'
import type { FactsOf, KindName } from './facts.ts'
import type { Phase, Reason } from './reason.ts'

/** What kept a sample waiting besides the network: this agent's own starvation, and the responder's by its own account. */
export interface Noise {
  readonly own?: Seconds
  readonly far?: Seconds
}

export interface Failure {
  readonly reason: Reason
  readonly phase: Phase
  /** For people; never a label. */
  readonly detail: string
}

/** Absent means not measured, never 0. The phases present add up to the attempt's duration. */
export type Phases = Readonly<Partial<Record<Phase, Seconds>>>

/** One finished attempt. A cancelled attempt is no observation. */
export interface Attempt<K extends KindName = KindName> {
  readonly is: 'attempt'
  /** When it started. */
  readonly at: Instant
  readonly noise: Noise
  readonly failure?: Failure
  /** A confirmation or a repeat, outside the schedule; absent for what a slot was due for. */
  readonly extra?: true
  readonly phases: Phases
  readonly facts: FactsOf[K]
}

/** What was seen. Streams, trains and walks join this union with their kinds. */
export type Observation<K extends KindName = KindName> = Attempt<K>

/** Duration of an attempt: the sum of its phases. */
export function durationOf(attempt: Attempt): Seconds {
  let sum = 0
  for (const seconds of Object.values(attempt.phases)) sum += seconds
  return sum
}

/** A user-clock sample is flagged when noise exceeds this share of its value... */
const FLAGGED_SHARE = 0.25
/** ...and this much in itself. */
const FLAGGED_AT_LEAST: Seconds = 0.0002

/**
 * Which end's starvation spoils the user-clock duration of this attempt, if any. A flagged sample is counted,
 * and kept out of latency series.
 */
export function flaggedBy(attempt: Attempt): 'own' | 'far' | undefined {
  const bound = Math.max(FLAGGED_AT_LEAST, FLAGGED_SHARE * durationOf(attempt))
  if ((attempt.noise.own ?? 0) > bound) return 'own'
  return (attempt.noise.far ?? 0) > bound ? 'far' : undefined
}
