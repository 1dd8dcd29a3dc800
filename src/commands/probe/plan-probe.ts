import type { ParsedTarget } from '../../kinds/define-options.ts'
import { kindOptions } from '../../kinds/options.ts'
import type { Check } from '../../model/check.ts'
import type { Seconds } from '../../model/duration.ts'
import type { KindName } from '../../model/facts.ts'
import type { ConnectionUse } from '../../model/path.ts'
import type { PeerAddress } from '../../model/peer.ts'
import { checkId } from '../../plan/check-id.ts'
import { defaultVariants } from './default-variants.ts'

/** Options of the command, as it is typed. */
export interface ProbeFlags {
  readonly count: number
  readonly interval: Seconds
  /** Default: as an agent's check of that kind. */
  readonly limit?: Seconds
  readonly kept?: boolean
  readonly responder?: boolean
  /** Node that must answer. */
  readonly expect?: string
  readonly family?: '4' | '6'
  readonly json?: boolean
}

/** A one-off probe, before its target's name is resolved. */
export interface ProbePlan {
  readonly kind: KindName
  readonly connection: ConnectionUse
  /** As it was typed. */
  readonly target: string
  readonly parsed: ParsedTarget
  readonly responder: boolean
  readonly expectNode: string | undefined
  readonly count: number
  readonly interval: Seconds
  readonly limit: Seconds
}

/** Works out what to do. `problem` is a sentence about a target or an option that cannot be used. */
export function planProbe(
  kind: KindName,
  target: string,
  flags: ProbeFlags,
): ProbePlan | { readonly problem: string } {
  const { count, interval, kept = false, responder = false, expect } = flags
  const parsed = kindOptions[kind].parseTarget(target, { responder })
  if ('problem' in parsed) {
    return { problem: `Cannot probe ${JSON.stringify(target)} by ${kind}: ${parsed.problem}` }
  }
  const connection = kept ? 'reused' : 'new'
  const variant = defaultVariants(kind).find((each) => each.connection === connection)
  if (variant === undefined) {
    return { problem: `Cannot probe by ${kind} with --kept: it knows no kept connection` }
  }
  const limit = flags.limit ?? variant.limit
  return { kind, connection, target, parsed, responder, expectNode: expect, count, interval, limit }
}

/** The check that the probers are given, towards one of the target's addresses. */
export function checkOf(plan: ProbePlan, { address, family }: PeerAddress): Check {
  const { kind, connection, parsed, expectNode, interval, limit } = plan
  const target: Check['target'] = {
    identity: plan.target,
    zone: 'unknown',
    boundary: 'external',
    via: 'target',
    address,
    port: parsed.port,
    family,
    ...(expectNode !== undefined && { expectNode }),
    rotating: false,
  }
  const id = checkId({ target, kind, connection, options: parsed.options })
  return { id, target, kind, connection, options: parsed.options, every: interval, limit, overlap: 1 }
}
