import type { Sink } from '../model/check.ts'

/** One sink that passes everything on to several, in their order. */
export function fanOut(...sinks: readonly Sink[]): Sink {
  return {
    begin(check) {
      for (const sink of sinks) sink.begin(check)
    },
    record(check, observation) {
      for (const sink of sinks) sink.record(check, observation)
    },
    skipped(check) {
      for (const sink of sinks) sink.skipped(check)
    },
    forget(check) {
      for (const sink of sinks) sink.forget(check)
    },
  }
}
