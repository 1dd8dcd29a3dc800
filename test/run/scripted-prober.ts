import type { Prober } from '../../src/kinds/kind.ts'

/** What an attempt does: answers after so many milliseconds, never answers, or throws after so many. */
export type Behaviour = { readonly answersIn: number } | 'silent' | { readonly throwsIn: number }

export interface ScriptedProber extends Prober {
  /** Attempts so far. */
  readonly begun: number
  readonly ended: number
  readonly thrown: number
  readonly disposals: number
}

/** A prober without a network. `next` says what each attempt does; like any prober it ends when it is aborted. */
export function createScriptedProber(next: (nth: number) => Behaviour): ScriptedProber {
  const count = { begun: 0, ended: 0, thrown: 0, disposals: 0 }
  return {
    runs: 'attempts',
    async attempt(signal) {
      const behaviour = next(count.begun)
      count.begun += 1
      try {
        await behave(behaviour, signal)
      } catch (error) {
        count.thrown += 1
        throw error
      } finally {
        count.ended += 1
      }
    },
    async [Symbol.asyncDispose]() {
      count.disposals += 1
    },
    get begun() {
      return count.begun
    },
    get ended() {
      return count.ended
    },
    get thrown() {
      return count.thrown
    },
    get disposals() {
      return count.disposals
    },
  }
}

function behave(behaviour: Behaviour, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => {
      if (typeof behaviour === 'object' && 'throwsIn' in behaviour) reject(new Error('A fault'))
      else resolve()
    },
    behaviour === 'silent' ? 2 ** 30 : Object.values(behaviour)[0],
  )
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
