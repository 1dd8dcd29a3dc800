import { expect, test } from 'vitest'
import { ColdTax } from '../../src/judge/cold-tax.ts'
import type { Check } from '../../src/model/check.ts'
import type { FarEnd, HttpFacts } from '../../src/model/facts.ts'
import type { Observation } from '../../src/model/observation.ts'
import {
  type AttemptParts,
  type CheckParts,
  createAttempt,
  createCheck,
  failedWith,
} from '../telemetry/fixtures.ts'

const RESIDENCE = 0.0005

const farEnd: FarEnd = { node: 'n2', draining: false, residence: RESIDENCE, runQueueWait: 0, loopLag: 0 }

function checkOf(connection: 'new' | 'reused', parts: CheckParts = {}): Check {
  return createCheck({ kind: 'http', connection, id: `n2 http ${connection}`, ...parts })
}

/** Of that duration at the network: the other end's residence comes on top. */
function attemptOf(seconds: number, facts: Partial<HttpFacts> = {}, parts: AttemptParts = {}): Observation {
  return createAttempt({
    phases: { first_byte: seconds + RESIDENCE },
    facts: { farEnd, bytes: 512, reused: false, reconnected: false, ...facts },
    ...parts,
  })
}

const cold = checkOf('new')
const warm = checkOf('reused')

function began(...checks: Check[]): ColdTax {
  const tax = new ColdTax()
  for (const check of checks) tax.begin(check)
  return tax
}

function repeat(tax: ColdTax, check: Check, times: number, attempt: Observation): void {
  for (let i = 0; i < times; i++) tax.record(check, attempt)
}

/** Five samples of 3 ms new and five of 1 ms kept. */
function measured(): ColdTax {
  const tax = began(cold, warm)
  repeat(tax, cold, 5, attemptOf(0.003))
  repeat(tax, warm, 5, attemptOf(0.001, { reused: true }))
  return tax
}

test('the cold tax is the difference of the medians of new and kept connections', () => {
  const tax = began(cold, warm)
  for (const ms of [2, 3, 4, 90, 3]) tax.record(cold, attemptOf(ms / 1000))
  for (const ms of [1, 1, 2, 0.5, 80, 1]) tax.record(warm, attemptOf(ms / 1000, { reused: true }))
  const [view, ...rest] = tax.coldTaxes(10)
  expect(rest).toEqual([])
  expect(view).toMatchObject({ zone: 'zone-b', boundary: 'cross_zone', probe: 'http', samples: 5 })
  expect(view?.seconds).toBeCloseTo(0.002, 12)
})

test('what the other end spent is no part of the tax', () => {
  const tax = began(cold, warm)
  repeat(tax, cold, 5, attemptOf(0.003, { farEnd: { ...farEnd, residence: 0.0015 } }))
  repeat(tax, warm, 5, attemptOf(0.001, { reused: true }))
  expect(tax.coldTaxes(10)[0]?.seconds).toBeCloseTo(0.001, 12)
})

test('a pair is absent until both sides have five samples', () => {
  const tax = began(cold, warm)
  repeat(tax, warm, 100, attemptOf(0.001, { reused: true }))
  repeat(tax, cold, 4, attemptOf(0.003))
  expect(tax.coldTaxes(10)).toEqual([])
  repeat(tax, cold, 1, attemptOf(0.003))
  expect(tax.coldTaxes(10)).toHaveLength(1)
})

test.each([
  ['failed', {}, failedWith('refused')],
  ['spoilt by a starved agent', {}, { noise: { own: 5 } }],
  ['spoilt by a starved responder', {}, { noise: { far: 5 } }],
  ['outside the schedule', {}, { extra: true }],
  ['answered without a residence', { farEnd: undefined }, {}],
] as const)('an attempt that was %s is on neither side', (_, facts, parts) => {
  const tax = measured()
  const { farEnd: gone, ...rest } = attemptOf(9).facts as HttpFacts
  const changed = 'farEnd' in facts ? rest : { ...rest, farEnd: gone ?? farEnd }
  repeat(tax, cold, 50, { ...attemptOf(9), ...parts, facts: changed })
  repeat(tax, warm, 50, { ...attemptOf(9), ...parts, facts: { ...changed, reused: true } })
  expect(tax.coldTaxes(10)).toMatchObject([{ samples: 5 }])
  expect(tax.coldTaxes(10)[0]?.seconds).toBeCloseTo(0.002, 12)
})

test('a kept connection that had to be made anew, or was not kept by the count of the responder, is not warm', () => {
  const tax = measured()
  repeat(tax, warm, 50, attemptOf(9, { reconnected: true }))
  repeat(tax, warm, 50, attemptOf(9, { reused: true, reconnected: true }))
  repeat(tax, warm, 50, attemptOf(9, { reused: false }))
  expect(tax.coldTaxes(10)[0]?.seconds).toBeCloseTo(0.002, 12)
})

test.each([
  ['rotating peers', { rotating: true }],
  ['loopback', { boundary: 'loopback' }],
] as const)('%s are left out', (_, target) => {
  const [fresh, kept] = [checkOf('new', { target }), checkOf('reused', { target })]
  const tax = began(fresh, kept)
  repeat(tax, fresh, 10, attemptOf(0.003))
  repeat(tax, kept, 10, attemptOf(0.001, { reused: true }))
  expect(tax.coldTaxes(10)).toEqual([])
})

test('peers of one zone are pooled, zones are not', () => {
  const tax = measured()
  const other = checkOf('new', { id: 'n3', target: { identity: 'n3' } })
  const elsewhere = checkOf('new', { id: 'n4', target: { identity: 'n4', zone: 'zone-c' } })
  for (const check of [other, elsewhere]) {
    tax.begin(check)
    repeat(tax, check, 6, attemptOf(0.005))
  }
  expect(tax.coldTaxes(10)).toMatchObject([{ zone: 'zone-b', samples: 5 }])
  expect(tax.coldTaxes(10)[0]?.seconds).toBeCloseTo(0.004, 12)
})

test('samples older than five minutes go', () => {
  const tax = measured()
  expect(tax.coldTaxes(300)).toHaveLength(1)
  expect(tax.coldTaxes(301)).toEqual([])
})

test('a pair goes with its last check, and an update of a check changes nothing', () => {
  const tax = measured()
  tax.begin(checkOf('new', { target: { address: '127.0.0.9' } }))
  tax.forget(cold)
  expect(tax.coldTaxes(10)).toHaveLength(1)
  tax.begin(cold)
  expect(tax.coldTaxes(10)).toHaveLength(1)
  tax.forget(cold)
  tax.forget(warm)
  expect(tax.coldTaxes(10)).toEqual([])
  tax.record(cold, attemptOf(0.003))
  tax.begin(cold)
  expect(tax.coldTaxes(10)).toEqual([])
})

test('an update of the only check of a pair keeps its samples', () => {
  const tax = began(cold)
  repeat(tax, cold, 5, attemptOf(0.003))
  tax.begin(checkOf('new', { target: { address: '127.0.0.9' } }))
  tax.begin(warm)
  repeat(tax, warm, 5, attemptOf(0.001, { reused: true }))
  expect(tax.coldTaxes(10)).toHaveLength(1)
})

test('a check whose target moved to another zone brings nothing along', () => {
  const tax = measured()
  for (const check of [cold, warm]) tax.begin({ ...check, target: { ...check.target, zone: 'zone-c' } })
  expect(tax.coldTaxes(10)).toEqual([])
})

test('the gauge carries the labels of the path without the connection', () => {
  const [collected] = [...measured().collect(10)]
  expect(collected?.family).toMatchObject({ name: 'cold_tax_seconds', type: 'gauge' })
  const [sample] = [...(collected?.samples ?? [])]
  expect(sample?.value).toBeCloseTo(0.002, 12)
  expect(sample?.labels).toEqual({
    dst_zone: 'zone-b',
    boundary: 'cross_zone',
    via: 'pod',
    probe: 'http',
    ip_family: '4',
  })
  expect(Object.keys(sample?.labels ?? {})).toEqual(collected?.family.labels)
})
