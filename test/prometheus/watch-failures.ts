import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../support/prometheus.ts'

/** Milliseconds between two looks. */
const LOOK_EVERY = 200

export interface FailureWatch {
  /** By `src dst probe connection reason`, when Prometheus first told of it, in milliseconds on `performance.now()`. */
  readonly firstSeen: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** Asks for failures again and again, and notes when each kind of them is there for the first time. */
export function watchFailures(askFailures: () => Promise<readonly Row[]>): FailureWatch {
  const firstSeen = new Map<string, number>()
  const end = new AbortController()
  const watching = watch()

  async function watch(): Promise<void> {
    while (!end.signal.aborted) {
      for (const row of await askFailures()) {
        const key = failureKey(row)
        if (!firstSeen.has(key)) firstSeen.set(key, performance.now())
      }
      await sleep(LOOK_EVERY)
    }
  }

  return {
    firstSeen,
    async stop() {
      end.abort()
      await watching
    },
  }
}

export function failureKey({ labels }: Row): string {
  return ['src', 'dst', 'probe', 'connection', 'reason'].map((name) => labels[name]).join(' ')
}
