import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { AGENTS, agentConfig, demoWays, expectedPaths, peersOf } from '../../src/demo/demo-mesh.ts'
import { selfPlace, staticChecks, staticRateProblems } from '../../src/static-plan.ts'

const PORTS = {
  'node-a': { http: 1, tcp: 2, web: 3 },
  'node-b': { http: 4, tcp: 5, web: 6 },
  'node-c': { http: 7, tcp: 8, web: 9 },
  'onprem-1': { http: 10, tcp: 11, web: 12 },
}

describe('demo mesh', () => {
  test('has configurations that an agent accepts, and probes all by them', () => {
    for (const agent of AGENTS) {
      const text = agentConfig(agent, PORTS, peersOf(agent.node))
      const loaded = parseConfig(text, { variables: {}, hostname: 'elsewhere' })
      if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
      expect(staticRateProblems(loaded.config)).toEqual([])
      expect(selfPlace(loaded.config)).toMatchObject(agent)
      // What the plan makes of it is what the demo expects, but for loopback, which needs listeners.
      const planned = staticChecks(loaded.config).map(({ target, kind, connection }) => ({
        src: agent.node,
        dst: target.identity,
        dstZone: target.zone,
        boundary: target.boundary,
        probe: kind,
        connection,
      }))
      const expected = expectedPaths(demoWays()).filter(
        ({ src, boundary }) => src === agent.node && boundary !== 'loopback',
      )
      expect(new Set(planned)).toEqual(new Set(expected))
      expect(planned).toHaveLength(expected.length)
    }
  })

  test('measures every path in every way that there is', () => {
    const ways = demoWays()
    expect(ways).toEqual([
      { probe: 'tcp', connection: 'new', every: 0.5 },
      { probe: 'http', connection: 'reused', every: 1 },
      { probe: 'http', connection: 'new', every: 2 },
    ])
    const paths = expectedPaths(ways)
    expect(paths).toHaveLength(3 * (2 + 1 + 1) * ways.length)
    expect(
      new Set(paths.map(({ src, dst, probe, connection }) => [src, dst, probe, connection].join())).size,
    ).toBe(paths.length)
  })
})
