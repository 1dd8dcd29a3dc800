import { describe, expect, it } from 'vitest'
import { createWebApp } from '../../../src/web/app.ts'
import {
  fakeCheck,
  fakeFailure,
  fakeInput,
  fakeOutcome,
  fakePath,
  fakePeers,
  fakeWindow,
  NOW,
} from '../fake-input.ts'

describe('the status page', () => {
  it('loads nothing but its own files, all of which are served', async () => {
    const app = createWebApp(fakeInput())
    const page = await app.inject('/')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self';/,
    )
    const links = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link ?? '')
    expect(links).toContain('page/style.css')
    for (const link of links) {
      expect(link).not.toMatch(/^(?:[a-z]+:|\/)/)
      expect((await app.inject(new URL(link, 'http://agent/').pathname)).statusCode).toBe(200)
    }
    expect(page.body).not.toMatch(/<style|<script>| style=| on[a-z]+=/)
  })

  it('serves its files with their types, and as unchanged to who has them', async () => {
    const app = createWebApp(fakeInput())
    for (const [url, type] of [
      ['/page/style.css', 'text/css; charset=utf-8'],
      ['/page/refresh.js', 'text/javascript; charset=utf-8'],
      ['/page/icon.svg', 'image/svg+xml; charset=utf-8'],
    ] as const) {
      const answer = await app.inject(url)
      expect(answer.headers['content-type']).toBe(type)
      const again = await app.inject({ url, headers: { 'if-none-match': String(answer.headers['etag']) } })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
  })

  it('has a script that parses', async () => {
    const { body } = await createWebApp(fakeInput()).inject('/page/refresh.js')
    expect(() => new Function(body)).not.toThrow()
  })

  it('shows state, numbers, loss with its resolution, and the last failure of a path', async () => {
    const text = await pageText({
      paths: () => [
        fakePath({
          state: 'failing',
          since: NOW - 130,
          lastFailure: fakeFailure({ reason: 'refused', detail: 'nobody listens' }, NOW - 9),
          window: fakeWindow({ ok: 1197, failed: 3, p50: 0.0012, p99: 0.0346, rttP50: 0.00054, flagged: 7 }),
        }),
      ],
      coldTaxes: () => [
        { zone: 'zone-b', boundary: 'cross_zone', probe: 'http', seconds: 0.00112, samples: 40 },
      ],
    })
    expect(text).toContain('n1 zone-a')
    expect(text).toContain('1 of 1 paths failing')
    expect(text).toContain('Cold tax: http +1.12 ms N=40')
    expect(text).toContain('n2 cross zone tcp new failing for 2m, 7 starved 1.20 34.6 0.54 3/1200 0.25%')
    expect(text).toContain('refused in connect 9s ago : nobody listens')
    expect(text).toContain('Pathmeter 0.1.0')
  })

  it('says what is not measured, instead of a zero', async () => {
    const { last: _, ...unmeasured } = fakePath({
      state: 'unmeasured',
      window: { seconds: 300, ok: 0, failed: 0, skipped: 0, flagged: 0 },
    })
    const text = await pageText({ paths: () => [unmeasured] })
    expect(text).toContain('1 of 1 paths not measured yet')
    expect(text.match(/not measured(?! yet)/g)).toHaveLength(4)
  })

  it('says stale of a path whose last outcome is old, whatever it was', async () => {
    const text = await pageText({ paths: () => [fakePath({ last: fakeOutcome({ at: NOW - 200 }) })] })
    expect(text).toContain('1 of 1 paths stale')
    expect(text).toContain('stale last ok 3m ago')
  })

  it('says that it is not ready, that its peers are old, and that nothing is measured', async () => {
    const text = await pageText({
      paths: () => [],
      peers: () => fakePeers({ peers: [], probedBy: [], updatedAt: NOW - 600 }),
      readiness: () => ({ ready: false, why: 'no peer view is loaded yet' }),
    })
    expect(text).toContain('Not ready. no peer view is loaded yet')
    expect(text).toContain('It was last confirmed 10m ago')
    expect(text).toContain('No path is measured from here yet')
  })

  it('names family and way only where a peer has several', async () => {
    const v4 = fakePath()
    const v6 = fakePath({ check: fakeCheck({ target: { family: 6, address: 'fd00::7' } }) })
    expect(await pageText({ paths: () => [v4] })).not.toContain('IPv4')
    expect(await pageText({ paths: () => [v4, v6] })).toMatch(/tcp new IPv4 .* tcp new IPv6 /)
  })

  it('takes its numbers over the span in its URL, marks it, and refuses a wrong one', async () => {
    const spans: number[] = []
    const app = createWebApp(
      fakeInput({
        paths: (span) => {
          spans.push(span)
          return [fakePath()]
        },
      }),
    )
    await app.inject('/')
    const page = await app.inject('/?window=1h')
    expect(spans).toEqual([300, 3600])
    expect(page.body).toContain('href="?window=1h" aria-current="true"')
    expect((await app.inject('/?window=1y')).statusCode).toBe(400)
  })

  it('shows hostile names as text and nothing else', async () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror='x'>\u202e&amp;`
    const path = fakePath({
      check: fakeCheck({ target: { identity: hostile, zone: hostile } }),
      lastFailure: fakeFailure({ detail: hostile }),
    })
    const { body } = await createWebApp(
      fakeInput({
        self: { node: hostile, zone: hostile, site: hostile },
        version: hostile,
        paths: () => [path],
        coldTaxes: () => [
          { zone: hostile, boundary: 'external', probe: hostile, seconds: -0.001, samples: 1 },
        ],
        readiness: () => ({ ready: false, why: hostile }),
      }),
    ).inject('/')
    expect(body).not.toContain('<script>')
    expect(body).not.toContain('<img')
    expect(body).not.toContain('\u202e')
    expect(body).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(body).toContain('&amp;amp;')
  })
})

async function pageText(over: Parameters<typeof fakeInput>[0]): Promise<string> {
  const { body } = await createWebApp(fakeInput(over)).inject('/')
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' ,', ',')
}
