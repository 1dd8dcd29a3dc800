import type { StaticDecode, TObject } from 'typebox'
import type { Seconds } from '../model/duration.ts'
import type { ConnectionUse } from '../model/path.ts'
import type { Protocol } from '../model/peer.ts'
import type { Phase } from '../model/reason.ts'

/** One way in which a kind measures a target: each becomes a check of its own. */
export interface Variant<O = unknown> {
  readonly connection: ConnectionUse
  readonly every: Seconds
  readonly limit: Seconds
  /** How many attempts may be under way at once. */
  readonly overlap: number
  readonly options: O
}

/** What to measure, by what a person typed. Names are not resolved yet. */
export interface ParsedTarget<O = unknown> {
  /** Name or IP literal. */
  readonly host: string
  readonly port: number
  readonly options: O
  /** What one attempt does, for people: completes "each …". */
  readonly does: string
  /** Phases that an attempt goes through, in order; `other` is everywhere. */
  readonly phases: readonly Phase[]
}

export interface TargetDemand {
  /** The other end must be a responder of ours. */
  readonly responder: boolean
}

/** What configuration and planning know of a kind: all of it without I/O. */
export interface KindOptions<S extends TObject = TObject, O = unknown> {
  /** The responder's listener it talks to; a peer without such a port gets no check of this kind. */
  readonly protocol: Protocol
  /** Its section under `probes:`. Every property has a default. */
  readonly schema: S
  variants(section: StaticDecode<S>): readonly Variant<O>[]
  /** How a person writes a target, such as `HOST:PORT`. */
  readonly targetSyntax: string
  /** Reads a target as a person writes it. `problem` completes "Cannot probe …: ". */
  parseTarget(text: string, demand: TargetDemand): ParsedTarget<O> | { readonly problem: string }
}

export function defineOptions<S extends TObject, O>(options: KindOptions<S, O>): KindOptions<S, O> {
  return options
}

/**
 * How many attempts of a new connection may overlap, so that a slow failure takes no slot from the next:
 * otherwise one dead peer of ten would show as 2 % loss.
 */
export function overlapOf(limit: Seconds, every: Seconds): number {
  // Where the limit is a multiple of the interval, an attempt still runs when the slot at its very end comes.
  return Math.floor(limit / every) + 1
}
