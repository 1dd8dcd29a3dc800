import type { Check, Sink } from '../../src/model/check.ts'
import type { Instant } from '../../src/model/clock.ts'
import type { Observation } from '../../src/model/observation.ts'
import { systemClock } from '../../src/net/clock.ts'

export interface RecordingSink extends Sink {
  readonly begun: readonly Check[]
  readonly forgotten: readonly Check[]
  readonly skips: readonly { readonly check: Check; readonly at: Instant }[]
  readonly records: readonly { readonly check: Check; readonly observation: Observation }[]
}

/** A sink that keeps what it is told. */
export function createRecordingSink(): RecordingSink {
  const begun: Check[] = []
  const forgotten: Check[] = []
  const skips: { check: Check; at: Instant }[] = []
  const records: { check: Check; observation: Observation }[] = []
  return {
    begun,
    forgotten,
    skips,
    records,
    begin: (check) => void begun.push(check),
    forget: (check) => void forgotten.push(check),
    skipped: (check) => void skips.push({ check, at: systemClock.now() }),
    record: (check, observation) => void records.push({ check, observation }),
  }
}
