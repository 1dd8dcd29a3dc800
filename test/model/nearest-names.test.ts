import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestNames } from '../../src/model/nearest-names.ts'

const keys = ['version', 'node', 'sites', 'peers', 'probes', 'web', 'respond', 'drain', 'log', 'metrics']

test.each([
  ['prober', ['probes']],
  ['porbes', ['probes']],
  ['Peers', ['peers']],
  ['site', ['sites']],
  ['lgo', ['log']],
  ['metrcs', ['metrics']],
  ['kubernetes', []],
  ['x', []],
])('the names nearest to "%s" are %j', (wanted, expected) => {
  expect(nearestNames(wanted, keys, 1)).toEqual(expected)
})

test('names come by edits, then by the alphabet, and no more than wanted', () => {
  expect(nearestNames('node-1', ['node-3', 'node-22', 'node-2', 'edge-9'])).toEqual([
    'node-2',
    'node-3',
    'node-22',
  ])
  expect(nearestNames('node-1', ['node-3', 'node-22', 'node-2'], 2)).toEqual(['node-2', 'node-3'])
})

test('a name with two neighbours swapped is found again', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(name, fc.nat(), (known, seed) => {
      const at = seed % (known.length - 1)
      const swapped = known.slice(0, at) + known[at + 1] + known[at] + known.slice(at + 2)
      expect(nearestNames(swapped, [known])).toEqual([known])
    }),
  )
})

test('a name of which only the beginning was typed is near, in any case', () => {
  expect(nearestNames('IP-10-0-1-12', ['ip-10-0-1-12.eu-central-1.compute.internal'])).toHaveLength(1)
})

test('near are exactly the names within three edits and within half of the shorter one', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 2, maxLength: 7 })
  fc.assert(
    fc.property(name, name, (wanted, known) => {
      const most = Math.min(3, Math.floor(Math.min(wanted.length, known.length) / 2))
      const near = known.includes(wanted) || edits(wanted, known) <= most
      expect(nearestNames(wanted, [known])).toEqual(near ? [known] : [])
    }),
  )
})

/** Optimal string alignment distance by its definition. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const [restA, restB] = [a.slice(1), b.slice(1)]
  const replaced = edits(restA, restB) + (a[0] === b[0] ? 0 : 1)
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  return Math.min(
    replaced,
    1 + edits(restA, b),
    1 + edits(a, restB),
    swapped ? 1 + edits(a.slice(2), b.slice(2)) : Number.POSITIVE_INFINITY,
  )
}
