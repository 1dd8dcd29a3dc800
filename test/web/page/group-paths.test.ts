import { describe, expect, it } from 'vitest'
import type { PathView } from '../../../src/model/view.ts'
import { groupPaths } from '../../../src/web/page/group-paths.ts'
import { fakeCheck, fakeOutcome, fakePath, NOW } from '../fake-input.ts'

const SELF = { node: 'n1', zone: 'zone-a' }

describe('grouping of paths', () => {
  it('puts failing before stale before unmeasured before ok, in zones, peers and rows', () => {
    const groups = groupPaths(
      [
        path('zone-a', 'n4', 'tcp', 'ok'),
        path('zone-b', 'n3', 'tcp', 'ok'),
        path('zone-b', 'n2', 'http', 'ok'),
        path('zone-b', 'n2', 'tcp', 'unmeasured'),
        path('zone-c', 'n6', 'tcp', 'ok'),
        path('zone-c', 'n5', 'http', 'ok'),
        path('zone-c', 'n5', 'tcp', 'failing'),
        path('zone-d', 'n7', 'tcp', 'stale'),
      ],
      [],
      SELF,
      NOW,
    )
    const order = groups.flatMap(({ zone, peers }) =>
      peers.flatMap(({ peer, rows }) =>
        rows.map(({ path: { check }, condition }) => [zone, peer, check.kind, condition].join(' ')),
      ),
    )
    expect(order).toEqual([
      'zone-c n5 tcp failing',
      'zone-c n5 http ok',
      'zone-c n6 tcp ok',
      'zone-d n7 tcp stale',
      'zone-b n2 tcp unmeasured',
      'zone-b n2 http ok',
      'zone-b n3 tcp ok',
      'zone-a n4 tcp ok',
    ])
  })

  it('counts conditions, marks the own zone and gives each zone its cold taxes', () => {
    const tax = { boundary: 'cross_zone', probe: 'http', seconds: 0.001, samples: 9 } as const
    const [b, a] = groupPaths(
      [path('zone-a', 'n4', 'tcp', 'ok'), path('zone-b', 'n2', 'tcp', 'failing')],
      [
        { ...tax, zone: 'zone-b' },
        { ...tax, zone: 'zone-x' },
      ],
      SELF,
      NOW,
    )
    expect(b).toMatchObject({
      zone: 'zone-b',
      own: false,
      counts: { failing: 1, stale: 0, unmeasured: 0, ok: 0 },
    })
    expect(b?.coldTaxes).toEqual([{ ...tax, zone: 'zone-b' }])
    expect(a).toMatchObject({ zone: 'zone-a', own: true, coldTaxes: [] })
  })
})

function path(
  zone: string,
  identity: string,
  kind: 'tcp' | 'http',
  condition: PathView['state'] | 'stale',
): PathView {
  return fakePath({
    check: fakeCheck({ kind, target: { zone, identity } }),
    state: condition === 'stale' ? 'ok' : condition,
    last: fakeOutcome({ at: condition === 'stale' ? NOW - 600 : NOW - 1 }),
  })
}
