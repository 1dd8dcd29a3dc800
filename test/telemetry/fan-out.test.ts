import { expect, test } from 'vitest'
import type { Sink } from '../../src/model/check.ts'
import { fanOut } from '../../src/telemetry/fan-out.ts'
import { createAttempt, createCheck } from './fixtures.ts'

test('everything reaches every sink in the order given', () => {
  const seen: string[] = []
  const named = (name: string): Sink => ({
    begin: ({ id }) => seen.push(`${name} begin ${id}`),
    record: ({ id }, { at }) => seen.push(`${name} record ${id} ${at}`),
    skipped: ({ id }) => seen.push(`${name} skipped ${id}`),
    forget: ({ id }) => seen.push(`${name} forget ${id}`),
  })
  const sink = fanOut(named('a'), named('b'))
  const check = createCheck({ id: 'x' })
  sink.begin(check)
  sink.record(check, createAttempt({ at: 7 }))
  sink.skipped(check)
  sink.forget(check)
  const calls = ['begin x', 'record x 7', 'skipped x', 'forget x']
  expect(seen).toEqual(calls.flatMap((call) => [`a ${call}`, `b ${call}`]))
})
