import { failureOf } from '../clients/failure.ts'
import type { Seconds } from '../model/duration.ts'
import type { FarEnd } from '../model/facts.ts'
import type { Failure, Noise, Phases } from '../model/observation.ts'
import { PhaseTimer } from '../net/phase-timer.ts'
import type { Io } from './kind.ts'

/** What an attempt yields besides its facts. */
export interface Seen {
  readonly is: 'attempt'
  readonly at: number
  readonly noise: Noise
  readonly phases: Phases
  readonly failure?: Failure
}

/**
 * Runs one attempt under the phase timer and the noise meter, and turns whatever it throws into a failure.
 *
 * @param facts what `work` has learnt so far; a failure keeps it
 * @returns undefined when the attempt was cancelled
 */
export async function observeAttempt<F extends { readonly farEnd?: FarEnd }>(
  io: Io,
  protocol: 'tcp' | 'http',
  facts: F,
  work: (timer: PhaseTimer) => Promise<void>,
): Promise<(Seen & { readonly facts: F }) | undefined> {
  const mark = io.starvation.mark()
  const timer = new PhaseTimer(io.clock, 'other')
  let failure: Failure | undefined
  try {
    await work(timer)
  } catch (error) {
    failure = failureOf(error, timer.phase, protocol)
    if (failure === undefined) return undefined
  }
  const phases = timer.stop()
  const own = io.starvation.since(mark)
  const far = farNoise(facts.farEnd, io.node)
  return {
    is: 'attempt',
    at: timer.startedAt,
    noise: { own, ...(far === undefined ? {} : { far }) },
    phases,
    ...(failure === undefined ? {} : { failure }),
    facts,
  }
}

/** None for this agent's own responder, which shares its event loop: what the probe itself does there would count twice. */
function farNoise(farEnd: FarEnd | undefined, node: string): Seconds | undefined {
  if (farEnd === undefined || farEnd.node === node) return undefined
  return Math.max(farEnd.runQueueWait, farEnd.loopLag)
}
