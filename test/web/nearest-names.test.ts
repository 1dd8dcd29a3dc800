import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestNames } from '../../src/web/nearest-names.ts'

describe('nearest names', () => {
  it('are those with the fewest edits, the closest first', () => {
    expect(nearestNames('worker-21', ['worker-12', 'worker-2', 'gateway', 'worker-20'])).toEqual([
      'worker-2',
      'worker-20',
      'worker-12',
    ])
  })

  it('hold the full name of a node of which only the beginning was typed, in any case', () => {
    expect(nearestNames('IP-10-0-1-12', ['ip-10-0-1-12.eu-central-1.compute.internal'])).toHaveLength(1)
  })

  it('are none when nothing is close', () => {
    expect(nearestNames('db', ['n1', 'n2'])).toEqual([])
    expect(nearestNames('', ['n1'])).toEqual([])
  })

  it('are three at most', () => {
    expect(nearestNames('node-0', ['node-1', 'node-2', 'node-3', 'node-4'])).toHaveLength(3)
  })

  it('are exactly those within three edits, and within half of the shorter name', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 2, maxLength: 7 })
    fc.assert(
      fc.property(name, name, (wanted, known) => {
        const most = Math.min(3, Math.floor(Math.min(wanted.length, known.length) / 2))
        const near = known.includes(wanted) || edits(wanted, known) <= most
        expect(nearestNames(wanted, [known])).toEqual(near ? [known] : [])
      }),
    )
  })
})

/** Levenshtein distance by its definition. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const [restA, restB] = [a.slice(1), b.slice(1)]
  if (a[0] === b[0]) return edits(restA, restB)
  return 1 + Math.min(edits(restA, b), edits(a, restB), edits(restA, restB))
}
