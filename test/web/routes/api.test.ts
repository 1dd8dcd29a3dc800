import { describe, expect, it } from 'vitest'
import type { PathView } from '../../../src/model/view.ts'
import { createWebApp } from '../../../src/web/app.ts'
import {
  fakeCheck,
  fakeFailure,
  fakeInput,
  fakeOutcome,
  fakePath,
  fakePeer,
  fakePeers,
  fakeWindow,
  NOW,
} from '../fake-input.ts'

const PATHS: readonly PathView[] = [
  fakePath({
    check: fakeCheck({ kind: 'http', connection: 'reused', target: { identity: 'n3', zone: 'zone-c' } }),
  }),
  fakePath({ check: fakeCheck({ kind: 'http', connection: 'new' }) }),
  fakePath({ check: fakeCheck({ kind: 'tcp' }) }),
]

describe('/api/v1/paths', () => {
  it('answers every field of a measured path by its name and unit', async () => {
    const failure = fakeFailure({}, NOW - 60)
    const path = fakePath({
      last: fakeOutcome({ at: NOW - 1.5, flagged: 'far' }),
      lastFailure: failure,
      window: fakeWindow({ failed: 1, loss: 0.0033 }),
    })
    const answer = await getJson('/api/v1/paths', { paths: () => [path] })
    expect(answer).toEqual({
      apiVersion: 'v1',
      at: '2026-12-01T12:40:05.000Z',
      self: { node: 'n1', zone: 'zone-a' },
      window_seconds: 300,
      paths: [
        {
          id: path.check.id,
          src: 'n1',
          src_zone: 'zone-a',
          dst: 'n2',
          dst_zone: 'zone-b',
          boundary: 'cross_zone',
          via: 'pod',
          probe: 'tcp',
          connection: 'new',
          ip_family: 4,
          address: '10.0.2.7',
          port: 9703,
          every_seconds: 1,
          limit_seconds: 8,
          state: 'ok',
          since: '2026-12-01T10:30:05.000Z',
          stale: false,
          last: {
            at: '2026-12-01T12:40:03.500Z',
            duration_seconds: 0.00123,
            phase_seconds: { connect: 0.0005, other: 0.00073 },
            rtt_seconds: 0.00048,
            flagged: 'far',
          },
          last_failure: {
            at: '2026-12-01T12:39:05.000Z',
            duration_seconds: 8,
            phase_seconds: { connect: 8 },
            failure: failure.failure,
          },
          window: {
            seconds: 300,
            ok: 300,
            failed: 1,
            skipped: 0,
            flagged: 0,
            loss: 0.0033,
            p50_seconds: 0.00121,
            p99_seconds: 0.0034,
            rtt_p50_seconds: 0.00052,
          },
        },
      ],
    })
  })

  it('leaves out what is not known', async () => {
    const { last: _, ...path } = fakePath({
      state: 'unmeasured',
      window: { seconds: 300, ok: 0, failed: 0, skipped: 0, flagged: 0 },
    })
    const answer = await getJson('/api/v1/paths', { paths: () => [path] })
    expect(answer.paths[0].window).toEqual({ seconds: 300, ok: 0, failed: 0, skipped: 0, flagged: 0 })
    expect(answer.paths[0]).not.toHaveProperty('last')
    expect(JSON.stringify(answer)).not.toContain('null')
  })

  for (const [query, names] of [
    ['', ['n2 http', 'n2 tcp', 'n3 http']],
    ['?dst=n2', ['n2 http', 'n2 tcp']],
    ['?dst_zone=zone-c', ['n3 http']],
    ['?probe=tcp', ['n2 tcp']],
    ['?dst=n2&probe=http', ['n2 http']],
    ['?dst=&dst_zone=', ['n2 http', 'n2 tcp', 'n3 http']],
    ['?dst=n9', []],
  ] as const) {
    it(`answers ${names.length} paths of 3 in order for "${query}"`, async () => {
      const { paths } = await getJson(`/api/v1/paths${query}`, { paths: () => PATHS })
      expect(paths.map((path: { dst: string; probe: string }) => `${path.dst} ${path.probe}`)).toEqual(names)
    })
  }

  it('takes the numbers over the window asked for', async () => {
    const windows: number[] = []
    const paths = (window: number) => {
      windows.push(window)
      return PATHS
    }
    await getJson('/api/v1/paths?window=15m', { paths })
    await getJson('/api/v1/paths?window=10s', { paths })
    expect((await getJson('/api/v1/paths?window=1h', { paths })).window_seconds).toBe(3600)
    expect(windows).toEqual([900, 10, 3600])
  })

  for (const [query, message] of [
    ['window=9s', 'Cannot read parameter "window": must be a duration from 10s to 1h such as 5m, got "9s"'],
    ['window=2h', 'Cannot read parameter "window": must be a duration from 10s to 1h such as 5m, got "2h"'],
    ['window=5', 'Cannot read parameter "window": must be a duration from 10s to 1h such as 5m, got "5"'],
    ['dst=a&dst=b', 'Cannot read parameter "dst": must be given once'],
    ['zone=a', 'Cannot use parameter "zone": known here are dst, dst_zone, probe, window'],
  ]) {
    it(`refuses "${query}" with a reason`, async () => {
      const answer = await createWebApp(fakeInput()).inject(`/api/v1/paths?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.message).toBe(message)
    })
  }
})

describe('/api/v1/peers', () => {
  it('answers who is known, why each is probed or not, and who probes this node', async () => {
    const peers = fakePeers({
      peers: [fakePeer(), fakePeer({ node: 'db', site: 'dc1', chosen: false, why: 'no port' })],
    })
    const answer = await getJson('/api/v1/peers', { peers: () => peers })
    expect(answer).toMatchObject({
      apiVersion: 'v1',
      updated_at: '2026-12-01T12:40:03.000Z',
      probed_by: ['n2', 'n3'],
    })
    expect(answer.peers[0]).not.toHaveProperty('site')
    expect(answer.peers[1]).toEqual({
      node: 'db',
      zone: 'zone-b',
      site: 'dc1',
      boundary: 'cross_zone',
      addresses: ['10.0.2.7'],
      source: 'static',
      state: 'active',
      chosen: false,
      why: 'no port',
    })
  })
})

async function getJson(url: string, over: Parameters<typeof fakeInput>[0]) {
  const answer = await createWebApp(fakeInput(over)).inject(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  return answer.json()
}
