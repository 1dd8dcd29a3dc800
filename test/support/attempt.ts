import { kinds } from '../../src/kinds/index.ts'
import type { Io, Prober } from '../../src/kinds/kind.ts'
import type { Check } from '../../src/model/check.ts'
import type { HttpFacts, KindName, TcpFacts } from '../../src/model/facts.ts'
import type { Attempt } from '../../src/model/observation.ts'
import { systemClock } from '../../src/net/clock.ts'
import { startDeadline } from '../../src/net/deadline.ts'

export type Seen = Attempt<KindName> & { readonly facts: TcpFacts & Partial<HttpFacts> }

/** A prober, and all that it has emitted. */
export interface Probing extends AsyncDisposable {
  readonly prober: Prober
  readonly seen: readonly Seen[]
  /** One attempt within `limit` seconds, 5 by default, and what it emitted last. */
  attempt(limit?: number): Promise<Seen>
}

export function startProbing(check: Check, io: Io): Probing {
  const seen: Seen[] = []
  const prober = kinds[check.kind].bind(check, io, (observation) => seen.push(observation))
  return {
    prober,
    seen,
    async attempt(limit = 5) {
      const before = seen.length
      using deadline = startDeadline({ limit, clock: systemClock })
      await prober.attempt(deadline.signal)
      const last = seen.at(-1)
      if (last === undefined || seen.length !== before + 1) {
        throw new Error(`Expected one observation of the attempt, got ${seen.length - before}`)
      }
      return last
    },
    [Symbol.asyncDispose]: () => prober[Symbol.asyncDispose](),
  }
}

/** What one attempt of a check sees. */
export async function attemptOnce(check: Check, io: Io, limit?: number): Promise<Seen> {
  await using probing = startProbing(check, io)
  return await probing.attempt(limit)
}
