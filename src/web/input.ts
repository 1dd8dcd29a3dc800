import type { Seconds } from '../model/duration.ts'
import type { KindName } from '../model/facts.ts'
import type { Place } from '../model/path.ts'
import type { Problem } from '../model/problem.ts'
import type { ColdTaxView, PathView, PeersView, ProbeReport } from '../model/view.ts'

/** A peer, and the kinds that have checks to it from here; a person may ask to probe it now when there are any. */
export interface Probeable {
  readonly peer: string
  readonly zone: string
  readonly kinds: readonly KindName[]
}

/** What a person asks to measure now: all kinds of checks to a peer, or those of one kind. */
export interface ProbeRequest {
  readonly peer: string
  readonly kind?: KindName
}

/** What a reload did: the keys in force from now on and those that wait for a restart, or why the old file stays. */
export type ReloadResult =
  | { readonly ok: true; readonly applied: readonly string[]; readonly needsRestart: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Whether this agent should be counted on, and a sentence that says why. */
export interface Readiness {
  readonly ready: boolean
  readonly why: string
}

/** Everything that the HTTP surface shows or starts. Called per request; only `metrics`, `probe` and `reload` may wait. */
export interface WebInput {
  readonly self: Place
  readonly version: string
  /** @param accept the request's Accept header, as sent */
  metrics(accept: string | undefined): Promise<{ readonly contentType: string; readonly body: string }>
  /** Every measured path with its numbers over the last `window`. */
  paths(window: Seconds): readonly PathView[]
  peers(): PeersView
  coldTaxes(): readonly ColdTaxView[]
  /** Fresh attempts; undefined when there is no such peer. May reject once `signal` is aborted. */
  probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeReport | undefined>
  probeable(): readonly Probeable[]
  readiness(): Readiness
  reload(): Promise<ReloadResult>
  /** Seconds since the Unix epoch. */
  now(): Seconds
}
