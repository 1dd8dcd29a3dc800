import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Check } from '../../src/model/check.ts'
import { diffChecks } from '../../src/plan/diff.ts'
import { checksToPeers } from './sample.ts'

const [known] = checksToPeers(1)
if (known === undefined) throw new Error('Cannot take a check of a plan without checks')

const variations: readonly ((check: Check) => Check)[] = [
  (check) => ({ ...check, target: { ...check.target, address: '10.9.9.9' } }),
  (check) => ({ ...check, target: { ...check.target, port: 1 } }),
  (check) => ({ ...check, target: { ...check.target, zone: 'zone-z' } }),
  (check) => ({ ...check, target: { ...check.target, boundary: 'on_prem' } }),
  (check) => ({ ...check, every: check.every + 1 }),
  (check) => ({ ...check, limit: check.limit + 1 }),
  (check) => ({ ...check, overlap: check.overlap + 1 }),
]

/** Plans over the same 12 checks: some missing, some changed, in any order. */
const plans: fc.Arbitrary<readonly Check[]> = fc
  .tuple(
    fc.shuffledSubarray([...checksToPeers(4)]),
    fc.array(fc.nat(2 * variations.length), { minLength: 12, maxLength: 12 }),
  )
  .map(([checks, draws]) =>
    checks.map((check, i) => variations[draws[i] ?? variations.length]?.(check) ?? structuredClone(check)),
  )

test('applied to the first plan, the diff gives the second', () => {
  fc.assert(
    fc.property(plans, plans, (before, after) => {
      const { start, stop, update, keep } = diffChecks(before, after)
      const result = new Map(before.map((check) => [check.id, check]))
      for (const check of stop) expect(result.delete(check.id)).toBe(true)
      for (const { before: from, after: to } of update) {
        expect(result.get(from.id)).toBe(from)
        result.set(to.id, to)
      }
      for (const check of start) {
        expect(result.has(check.id)).toBe(false)
        result.set(check.id, check)
      }
      for (const check of keep) expect(result.get(check.id)).toBe(check)
      expect(result).toEqual(new Map(after.map((check) => [check.id, check])))
    }),
  )
})

test('every id of either plan stands in exactly one part of the diff', () => {
  fc.assert(
    fc.property(plans, plans, (before, after) => {
      const { start, stop, update, keep } = diffChecks(before, after)
      const ids = [...start, ...stop, ...keep, ...update.map(({ before: from }) => from)].map(({ id }) => id)
      expect(ids.sort()).toEqual([...new Set([...before, ...after].map(({ id }) => id))].sort())
      for (const { before: from, after: to } of update) expect(to.id).toBe(from.id)
    }),
  )
})

test('the order of the plans makes no difference', () => {
  fc.assert(
    fc.property(plans, plans, (before, after) => {
      const forward = diffChecks(before, after)
      const backward = diffChecks([...before].reverse(), [...after].reverse())
      const ids = ({ start, stop, update, keep }: typeof forward) =>
        [start, stop, update.map((one) => one.after), keep].map((some) => some.map(({ id }) => id).sort())
      expect(ids(backward)).toEqual(ids(forward))
    }),
  )
})

test('a check that is equal in everything is kept, even as another object', () => {
  expect(diffChecks([known], [structuredClone(known)])).toEqual({
    start: [],
    stop: [],
    update: [],
    keep: [known],
  })
})

test.for(variations)('a check that differs is updated: %s', (vary) => {
  const after = vary(known)
  expect(diffChecks([known], [after])).toEqual({
    start: [],
    stop: [],
    update: [{ before: known, after }],
    keep: [],
  })
})
