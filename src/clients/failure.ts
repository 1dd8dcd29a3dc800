import { classify } from '../model/classify.ts'
import type { Failure } from '../model/observation.ts'
import type { Phase, Reason } from '../model/reason.ts'
import { ConnectionLost, codeOf } from '../net/connection.ts'
import { Cancelled, DeadlineExceeded } from '../net/deadline.ts'

/** An answer that arrived and is not the one asked for. */
export class BadAnswer extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Names the failure of an attempt that threw.
 *
 * @returns undefined when the attempt was cancelled: that is no observation
 */
export function failureOf(error: unknown, phase: Phase, protocol: 'tcp' | 'http'): Failure | undefined {
  if (error instanceof Cancelled) return undefined
  // Libraries put locations of their own sources behind the first line, and advice for programmers.
  const [detail = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n')
  if (error instanceof BadAnswer) return { reason: error.reason, phase, detail }
  const reason = classify({
    phase,
    protocol,
    deadline: error instanceof DeadlineExceeded,
    code: codeOf(error),
    ...(error instanceof ConnectionLost ? { ending: error.ending, sinceConnect: error.sinceConnect } : {}),
  })
  return { reason, phase, detail }
}
