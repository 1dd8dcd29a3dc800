import type { Check } from './check.ts'
import type { Seconds } from './duration.ts'
import type { Phases } from './observation.ts'
import type { Boundary, Place } from './path.ts'
import type { Phase, Reason } from './reason.ts'

/** One attempt as it is shown to a person. */
export interface Outcome {
  /** Seconds since the Unix epoch. */
  readonly at: Seconds
  readonly duration: Seconds
  readonly phases: Phases
  /** Kernel clock, where it is clean. */
  readonly rtt?: Seconds
  readonly failure?: { readonly reason: Reason; readonly phase: Phase; readonly detail: string }
  /** Which end's starvation spoils the user-clock numbers of this attempt. */
  readonly flagged?: 'own' | 'far'
}

/** Numbers over the attempts of a span of time. */
export interface WindowView {
  readonly seconds: Seconds
  readonly ok: number
  readonly failed: number
  readonly skipped: number
  readonly flagged: number
  /** Failed and skipped of all that were due, 0 to 1. Absent while nothing was due. */
  readonly loss?: number
  /** Of successes that are not flagged; of all where every one is, and `noisy` is then true. Absent without successes. */
  readonly p50?: Seconds
  readonly p99?: Seconds
  readonly noisy?: true
  /** Kernel round trip, clean samples. */
  readonly rttP50?: Seconds
}

/** One measured path: a check, with what is known of it. */
export interface PathView {
  readonly check: Check
  readonly state: 'unmeasured' | 'ok' | 'failing'
  /** Since when in this state, seconds since the Unix epoch. */
  readonly since: Seconds
  readonly last?: Outcome
  readonly lastFailure?: Outcome
  readonly window: WindowView
}

export type PeerState = 'active' | 'leaving' | 'suspect'

/** One known peer, and why it is or is not probed from here. */
export interface PeerView {
  readonly node: string
  readonly zone: string
  readonly site?: string
  readonly boundary: Boundary
  readonly addresses: readonly string[]
  readonly source: 'static' | 'kubernetes'
  readonly state: PeerState
  readonly chosen: boolean
  /** A sentence: `one of 3 in zone-b`, `rotating peer until 12:40`, `not among the 3 of zone-b`. */
  readonly why: string
}

export interface PeersView {
  readonly self: Place
  /** When the view was last confirmed, seconds since the Unix epoch. */
  readonly updatedAt: Seconds
  readonly peers: readonly PeerView[]
  /** Nodes that probed this one in the last minute, by their own account. */
  readonly probedBy: readonly string[]
}

/** One fresh attempt, made because a person asked. */
export interface ProbeRow {
  readonly check: Check
  readonly outcome: Outcome
  /** Residence of the other end, where it answered. */
  readonly residence?: Seconds
  /** Who answered. */
  readonly answeredBy?: { readonly node: string; readonly zone?: string; readonly version?: string }
}

/** What fresh attempts to one peer saw. */
export interface ProbeReport {
  readonly peer: string
  readonly rows: readonly ProbeRow[]
}

/** A cold tax: what a new connection costs above a kept one, towards one zone. */
export interface ColdTaxView {
  readonly zone: string
  readonly boundary: Boundary
  readonly probe: string
  readonly seconds: Seconds
  /** Attempts on the colder, rarer side. */
  readonly samples: number
}
