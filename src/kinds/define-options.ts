import type { StaticDecode, TObject } from 'typebox'
import type { Seconds } from '../model/duration.ts'
import type { ConnectionUse } from '../model/path.ts'
import type { Protocol } from '../model/peer.ts'

/** One way in which a kind measures a target: each becomes a check of its own. */
export interface Variant<O = unknown> {
  readonly connection: ConnectionUse
  readonly every: Seconds
  readonly limit: Seconds
  /** How many attempts may be under way at once. */
  readonly overlap: number
  readonly options: O
}

/** What configuration and planning know of a kind: all of it without I/O. */
export interface KindOptions<S extends TObject = TObject, O = unknown> {
  /** The responder's listener it talks to; a peer without such a port gets no check of this kind. */
  readonly protocol: Protocol
  /** Its section under `probes:`. Every property has a default. */
  readonly schema: S
  variants(section: StaticDecode<S>): readonly Variant<O>[]
}

export function defineOptions<S extends TObject, O>(options: KindOptions<S, O>): KindOptions<S, O> {
  return options
}

/**
 * How many attempts of a new connection may overlap, so that a slow failure takes no slot from the next:
 * otherwise one dead peer of ten would show as 2 % loss.
 */
export function overlapOf(limit: Seconds, every: Seconds): number {
  return Math.ceil(limit / every)
}
