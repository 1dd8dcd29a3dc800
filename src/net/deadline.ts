import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import { formatDuration } from '../model/duration.ts'

/** Abort reason of a deadline that passed: the attempt failed by timeout. */
export class DeadlineExceeded extends Error {
  constructor(limit: Seconds) {
    super(`No result within ${formatDuration(limit)}`)
  }
}

/** Abort reason of an attempt that nobody wants any more: it is no observation. */
export class Cancelled extends Error {
  constructor() {
    super('Cancelled')
  }
}

/** The one deadline of an attempt: its signal goes into every wait. Disposing it frees timer and listener. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  readonly at: Instant
}

export interface DeadlineOptions {
  readonly limit: Seconds
  /** Aborts the deadline with `Cancelled`. */
  readonly parent?: AbortSignal | undefined
  readonly clock: Clock
}

/**
 * Starts a deadline that aborts with `DeadlineExceeded` once `limit` has passed, never before.
 *
 * A controller linked by hand, because `AbortSignal.any` on a signal that lives as long as the process keeps
 * every dependent signal alive.
 */
export function startDeadline({ limit, parent, clock }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  const at = clock.now() + limit
  let timer = setTimeout(onTimer, limit * 1000)
  const onParent = () => controller.abort(new Cancelled())
  parent?.addEventListener('abort', onParent, { once: true })
  if (parent?.aborted) onParent()

  function onTimer(): void {
    const left = at - clock.now()
    // Timers fire up to 1.7 ms early.
    if (left > 0) timer = setTimeout(onTimer, Math.ceil(left * 1000))
    // After a blocked loop the answer may lie in the socket already: let it be read before time is called.
    else setImmediate(() => controller.abort(new DeadlineExceeded(limit)))
  }

  return {
    signal: controller.signal,
    at,
    [Symbol.dispose]() {
      clearTimeout(timer)
      parent?.removeEventListener('abort', onParent)
    },
  }
}
