import { describe, expect, it } from 'vitest'
import { createWebApp } from '../../../src/web/app.ts'
import type { Probeable, ProbeRequest } from '../../../src/web/input.ts'
import {
  fakeCheck,
  fakeFailure,
  fakeInput,
  fakeOutcome,
  fakePath,
  fakeRow,
  fakeWindow,
  NOW,
} from '../fake-input.ts'

const JSON_ACCEPT = { accept: 'application/json' }
const PROBEABLE: readonly Probeable[] = [
  { peer: 'n2', zone: 'zone-b', kinds: ['tcp', 'http'] },
  { peer: 'a/b?c#d', zone: 'zone-a', kinds: ['tcp'] },
]

describe('/probe/', () => {
  it('lists what can be probed, with URLs that work as they stand', async () => {
    const app = createWebApp(fakeInput({ probeable: () => PROBEABLE }))
    const answer = await app.inject('/probe/')
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body.split('\n').slice(-4)).toEqual([
      'PEER     ZONE    KINDS      URL',
      'a/b?c#d  zone-a  tcp        /probe/peer/a%2Fb%3Fc%23d',
      'n2       zone-b  tcp, http  /probe/peer/n2',
      '',
    ])
    for (const url of answer.body.match(/(?<= )\/probe\/peer\/\S+$/gm) ?? ['none']) {
      expect((await app.inject(url)).statusCode).toBe(200)
    }
  })

  it('lists them as JSON when asked', async () => {
    const answer = await createWebApp(fakeInput()).inject({ url: '/probe/', headers: JSON_ACCEPT })
    expect(answer.json()).toMatchObject({
      apiVersion: 'v1',
      probeable: [{ peer: 'n2', zone: 'zone-b', kinds: ['tcp', 'http'], url: '/probe/peer/n2' }],
    })
  })

  it('leaves out a peer without checks, and says that it is not probed', async () => {
    const app = createWebApp(fakeInput({ probeable: () => [{ peer: 'n2', zone: 'zone-b', kinds: [] }] }))
    expect((await app.inject('/probe/')).body).toMatch(/^Nothing can be probed/)
    expect((await app.inject('/probe/peer/n2')).body).toMatch(
      /no such peer is probed from here; \/probe\/ lists/,
    )
  })

  it('says so when there is nothing', async () => {
    const answer = await createWebApp(fakeInput({ probeable: () => [] })).inject('/probe/')
    expect(answer.body).toBe(
      'Nothing can be probed from n1 (zone-a) yet: no peer has checks. See /api/v1/peers.\n',
    )
  })
})

describe('/probe', () => {
  for (const url of ['/probe', '/probe?target=example.com&module=http_2xx']) {
    it(`answers ${url} with a line of text that points to what there is`, async () => {
      const answer = await createWebApp(fakeInput()).inject({ url, headers: { accept: '*/*' } })
      expect(answer.statusCode).toBe(400)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.body).toMatch(/comes in a later version; \/probe\/ lists .*\n$/)
    })
  }
})

describe('/probe/peer/NAME', () => {
  const http = fakeCheck({ kind: 'http', connection: 'reused' })
  const rows = [
    fakeRow({ outcome: fakeOutcome({ duration: 0.00123 }) }),
    {
      check: http,
      outcome: fakeFailure({ reason: 'reset', phase: 'first_byte', detail: 'reset by peer' }),
    },
  ]

  it('answers a table of fresh attempts with the last hour beside them', async () => {
    const spans: number[] = []
    const app = createWebApp(
      fakeInput({
        probe: async ({ peer }) => ({ peer, rows }),
        paths: (span) => {
          spans.push(span)
          return [
            fakePath({ check: http, window: fakeWindow({ ok: 1197, failed: 3, p50: 0.002, p99: 0.004 }) }),
          ]
        },
      }),
    )
    const { body } = await app.inject('/probe/peer/n2')
    expect(spans).toEqual([3600])
    const lines = body.split('\n')
    expect(lines[0]).toBe(
      'n2 (zone-b, cross_zone) probed from n1 (zone-a) at 2026-12-01T12:40:05.000Z: 1 of 2 FAILED',
    )
    expect(lines[2]).toMatch(
      /^PROBE +CONN +IP +RESULT +TOTAL +CONNECT +OTHER +KERNEL RTT +RESIDENCE +ANSWERED BY +1H P50 +1H P99 +1H RTT +1H LOST +NOTE$/,
    )
    expect(lines[3]).toMatch(
      /^tcp +new +4 +ok +1\.23ms +500us +730us +480us +40\.0us +n2 zone-b 0\.1\.0 +- +- +- +-$/,
    )
    expect(lines[4]).toMatch(
      /^http +reused +4 +FAILED +8\.00s .*2\.00ms +4\.00ms +520us +3\/1200 +reset in first_byte: reset by peer$/,
    )
  })

  it('answers the same as JSON', async () => {
    const app = createWebApp(
      fakeInput({ probe: async ({ peer }) => ({ peer, rows }), paths: () => [fakePath()] }),
    )
    const answer = (await app.inject({ url: '/probe/peer/n2', headers: JSON_ACCEPT })).json()
    expect(answer).toMatchObject({
      apiVersion: 'v1',
      peer: 'n2',
      rows: [
        {
          probe: 'tcp',
          result: 'ok',
          duration_seconds: 0.00123,
          residence_seconds: 0.00004,
          answered_by: { node: 'n2', zone: 'zone-b', version: '0.1.0' },
          last_hour: { ok: 300, p50_seconds: 0.00121 },
        },
        {
          probe: 'http',
          result: 'failed',
          failure: { reason: 'reset', phase: 'first_byte', detail: 'reset by peer' },
        },
      ],
    })
    expect(answer.rows[1]).not.toHaveProperty('last_hour')
    expect(answer.rows[1]).not.toHaveProperty('answered_by')
  })

  it('asks for one kind when the URL names one', async () => {
    const asked: ProbeRequest[] = []
    const app = createWebApp(
      fakeInput({
        probe: async (request) => {
          asked.push(request)
          return { peer: request.peer, rows: [] }
        },
      }),
    )
    await app.inject('/probe/peer/n2')
    await app.inject('/probe/peer/n2/http')
    expect(asked).toEqual([{ peer: 'n2' }, { peer: 'n2', kind: 'http' }])
  })

  it('reaches a peer by the longest legal name, escaped to the last character', async () => {
    const peer = 'ü'.repeat(253)
    const app = createWebApp(fakeInput({ probeable: () => [{ peer, zone: 'zone-b', kinds: ['tcp'] }] }))
    const url = `/probe/peer/${encodeURIComponent(peer)}`
    expect((await app.inject(url)).statusCode).toBe(200)
  })

  it('names the nearest peers when there is none of that name', async () => {
    const answer = await createWebApp(fakeInput()).inject('/probe/peer/n3')
    expect([answer.statusCode, answer.body]).toEqual([
      404,
      'Cannot probe "n3": no such peer is probed from here; did you mean "n2"?\n',
    ])
  })

  it('names the kinds there are when there is none of that name', async () => {
    const answer = await createWebApp(fakeInput()).inject('/probe/peer/n2/icmp')
    expect([answer.statusCode, answer.body]).toEqual([
      404,
      'Cannot probe "n2" by "icmp": it is probed by tcp, http\n',
    ])
  })

  it('answers 404 when the peer went away between the question and the run', async () => {
    const answer = await createWebApp(fakeInput({ probe: async () => undefined })).inject('/probe/peer/n2')
    expect(answer.statusCode).toBe(404)
  })

  it('keeps what a hostile peer says of itself on its line, without control characters', async () => {
    const hostile = 'n2\r\nHTTP/1.1 200\x1b]0;owned\x07\u202e'
    const app = createWebApp(
      fakeInput({
        probeable: () => [{ peer: hostile, zone: hostile, kinds: ['tcp'] }],
        probe: async () => ({
          peer: hostile,
          rows: [
            fakeRow({
              check: fakeCheck({ target: { identity: hostile, zone: hostile } }),
              outcome: fakeFailure({ detail: hostile }, NOW),
              answeredBy: { node: hostile, zone: hostile, version: hostile },
            }),
          ],
        }),
      }),
    )
    for (const url of ['/probe/', `/probe/peer/${encodeURIComponent(hostile)}`, '/probe/peer/x%1b%0a']) {
      for (const headers of [{}, JSON_ACCEPT]) {
        const { body } = await app.inject({ url, headers })
        expect(body).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
        expect(body).not.toMatch(/^HTTP\/1\.1/m)
      }
    }
  })
})
