import type { Kind } from '../../src/kinds/kind.ts'
import type { Check } from '../../src/model/check.ts'
import { type Behaviour, createScriptedProber, type ScriptedProber } from './scripted-prober.ts'

export interface ScriptedKind extends Kind {
  /** Every prober so far, with the check it was made for. */
  readonly bound: readonly { readonly check: Check; readonly prober: ScriptedProber }[]
}

/** A kind without a network, all of whose attempts go the same way. Those that are answered emit a success. */
export function createScriptedKind(behaviour: Behaviour): ScriptedKind {
  const bound: { check: Check; prober: ScriptedProber }[] = []
  return {
    name: 'tcp',
    families: [],
    bound,
    bind(check, { clock }, emit) {
      const prober = createScriptedProber(() => behaviour)
      bound.push({ check, prober })
      return {
        runs: 'attempts',
        async attempt(signal) {
          const at = clock.now()
          await prober.attempt(signal)
          if (!signal.aborted) emit({ is: 'attempt', at, noise: {}, phases: { connect: 0.001 }, facts: {} })
        },
        [Symbol.asyncDispose]: () => prober[Symbol.asyncDispose](),
      }
    },
  }
}
