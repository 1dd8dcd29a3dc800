import type { Seconds } from './duration.ts'
import type { KindName } from './facts.ts'
import type { Observation } from './observation.ts'
import type { ConnectionUse, Target } from './path.ts'

/** Names a check for as long as it measures the same thing; see `checkId` in plan/check-id.ts. */
export type CheckId = string & { readonly __brand: 'CheckId' }

/** One thing that is measured again and again: the unit of schedule, state, series and history. */
export interface Check<O = unknown> {
  readonly id: CheckId
  readonly target: Target
  readonly kind: KindName
  readonly connection: ConnectionUse
  readonly options: O
  readonly every: Seconds
  readonly limit: Seconds
  /** How many attempts may be under way at once; 1 for a kept connection. */
  readonly overlap: number
}

/** Where observations go. */
export interface Sink {
  record(check: Check, observation: Observation): void
  /** A slot came and nothing was started: the earlier attempts still hold all places. */
  skipped(check: Check): void
  /** A check was planned: from now on its series exist, at 0. */
  begin(check: Check): void
  /** A check ended for good. */
  forget(check: Check): void
}
