import type { Clock } from '../model/clock.ts'
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
}

/** A timer that is later than this was kept from running: a few milliseconds are the timers' own. */
const KEPT_FROM_RUNNING: Seconds = 0.05

export interface DeadlineOptions {
  readonly limit: Seconds
  /** Aborts the deadline with `Cancelled`. */
  readonly parent?: AbortSignal | undefined
  readonly clock: Clock
}

/**
 * Starts a deadline that aborts with `DeadlineExceeded` once `limit` has passed, never before. When this process was
 * stopped or starved over the end of the limit, the attempt gets back, once and up to the limit again, the time by
 * which its own timer was late: a peer is not silent because nobody listened.
 *
 * A controller linked by hand, because `AbortSignal.any` on a signal that lives as long as the process keeps
 * every dependent signal alive.
 */
export function startDeadline({ limit, parent, clock }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  let at = clock.now() + limit
  let extended = false
  let timer = setTimeout(onTimer, limit * 1000)
  const onParent = () => controller.abort(new Cancelled())
  parent?.addEventListener('abort', onParent, { once: true })
  if (parent?.aborted) onParent()

  function onTimer(): void {
    let left = at - clock.now()
    if (-left > KEPT_FROM_RUNNING && !extended) {
      extended = true
      left = Math.min(-left, limit)
      at = clock.now() + left
    }
    // Timers fire up to 1.7 ms early.
    if (left > 0) timer = setTimeout(onTimer, Math.ceil(left * 1000))
    // The answer may lie in the socket already: let it be read before time is called.
    else setImmediate(() => controller.abort(new DeadlineExceeded(limit)))
  }

  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      parent?.removeEventListener('abort', onParent)
    },
  }
}
