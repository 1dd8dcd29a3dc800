import { createHash } from 'node:crypto'
import type { Check, CheckId } from '../model/check.ts'

/** What makes a check the one it is. */
export interface CheckIdentity extends Pick<Check, 'kind' | 'connection' | 'options'> {
  readonly target: Pick<Check['target'], 'identity' | 'family' | 'via' | 'rotating'>
}

/**
 * Names a check by what it measures: destination, kind, connection, family, via and options. Address, port, interval
 * and limit are not in it: a pod that returns on another IP is the same check, and so is one that is probed less
 * often. A rotating peer's check is another than the same peer's lasting one, because it has no series and no history.
 *
 * @returns the first 64 bits of a SHA-256, in hex
 */
export function checkId({ target, kind, connection, options }: CheckIdentity): CheckId {
  const { identity, family, via, rotating } = target
  const text = JSON.stringify([identity, kind, connection, family, via, rotating, withSortedKeys(options)])
  return createHash('sha256').update(text).digest('hex').slice(0, 16) as CheckId
}

/** The same value with the keys of its objects in order, so that equal options give equal text. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, withSortedKeys(item)]))
}
