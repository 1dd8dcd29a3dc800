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
