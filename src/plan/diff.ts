import { isDeepStrictEqual } from 'node:util'
import type { Check } from '../model/check.ts'

/** What turns one plan into another. Each id of either plan stands in exactly one of the four. */
export interface PlanDiff {
  readonly start: readonly Check[]
  readonly stop: readonly Check[]
  /** The same check with another address, port, interval, limit or label: it keeps its counters and its history. */
  readonly update: readonly CheckUpdate[]
  /** Equal in everything: keeps its connection too. The objects are those of `before`. */
  readonly keep: readonly Check[]
}

export interface CheckUpdate {
  readonly before: Check
  readonly after: Check
}

/** Compares two plans, in each of which every id occurs once. Their order does not matter. */
export function diffChecks(before: readonly Check[], after: readonly Check[]): PlanDiff {
  const old = new Map(before.map((check) => [check.id, check]))
  const start: Check[] = []
  const update: CheckUpdate[] = []
  const keep: Check[] = []
  for (const check of after) {
    const known = old.get(check.id)
    old.delete(check.id)
    if (known === undefined) start.push(check)
    else if (isDeepStrictEqual(known, check)) keep.push(known)
    else update.push({ before: known, after: check })
  }
  return { start, stop: [...old.values()], update, keep }
}
