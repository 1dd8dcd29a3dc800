import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { staticPeers } from '../../src/discovery/static.ts'

test('static peers are those of the configuration, in its order, without the node itself', () => {
  const loaded = parseConfig(
    `version: 1
peers:
  static:
    - { node: n3, address: "fd00::3", ports: { tcp: 9713 } }
    - { node: n2, zone: zone-b, address: 10.0.0.2 }
    - { node: n1, zone: zone-a, address: 10.0.0.1 }
`,
    { variables: {}, hostname: 'n1' },
  )
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  expect(staticPeers(loaded.config)).toEqual([
    {
      node: 'n3',
      zone: undefined,
      addresses: [{ address: 'fd00::3', family: 6 }],
      ports: { tcp: 9713 },
      source: 'static',
    },
    {
      node: 'n2',
      zone: 'zone-b',
      addresses: [{ address: '10.0.0.2', family: 4 }],
      ports: { http: 9701, tcp: 9703 },
      source: 'static',
    },
  ])
})
