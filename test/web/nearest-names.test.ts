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

  it('cost little against many long names', () => {
    const known = Array.from({ length: 3000 }, (_, index) => 'x'.repeat(250) + index)
    const begin = performance.now()
    nearestNames('y'.repeat(253), known)
    expect(performance.now() - begin).toBeLessThan(1000)
  })
})
