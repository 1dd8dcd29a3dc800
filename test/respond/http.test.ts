import { Agent } from 'node:http'
import { describe, expect, test } from 'vitest'
import { parseConnectionHeader, parseFarEnd } from '../../src/wire/far-end-headers.ts'
import { ask } from '../support/http-get.ts'
import { openRawClient } from '../support/raw-client.ts'
import { openResponder } from '../support/responder.ts'

const MEBIBYTE = 1024 * 1024

describe('http responder', () => {
  test.each([
    { what: 'an echo', path: '/v1/echo?size=10', status: 200 },
    { what: 'another status', path: '/v1/echo?status=503', status: 503 },
    { what: 'a status without a body', path: '/v1/echo?status=204&size=10', status: 204 },
    { what: 'an unknown path', path: '/v1/unknown', status: 404 },
    { what: 'the root', path: '/', status: 404 },
    { what: 'an unknown method', path: '/v1/echo', status: 404, method: 'DELETE' },
    { what: 'a HEAD', path: '/v1/echo?size=10', status: 404, method: 'HEAD' },
    { what: 'a POST', path: '/v1/echo', status: 200, method: 'POST' },
  ])(
    'says in the answer to $what who gives it and how busy it is',
    async ({ path, status, method = 'GET' }) => {
      await using responder = await openResponder()
      const { status: given, headers } = await ask(responder.ports.http, path, { method })
      expect(given).toBe(status)
      expect(parseFarEnd(headers)).toMatchObject({
        is: 'responder',
        farEnd: { node: 'peer-1', zone: 'zone-b', version: '1.2.3', draining: false },
      })
      expect(headers['pathmeter-protocol']).toBe('1')
      expect(headers['server-timing']).toMatch(
        /^residence;dur=\d+\.\d{3}, runq;dur=\d+\.\d{3}, lag;dur=\d+\.\d{3}$/,
      )
      expect(parseConnectionHeader(headers)?.requests).toBe(1)
    },
  )

  test.each([
    [0, ''],
    [1, 'p'],
    [14, 'pathmeter path'],
    [MEBIBYTE, undefined],
  ])('gives a body of %d bytes', async (size, text) => {
    await using responder = await openResponder()
    const { headers, body } = await ask(responder.ports.http, `/v1/echo?size=${size}`)
    expect(body).toHaveLength(size)
    expect(headers['content-length']).toBe(String(size))
    if (text !== undefined) expect(body.toString()).toBe(text)
  })

  test.each([
    'size=1048577',
    'size=-1',
    'size=ten',
    'size=1e3',
    'status=99',
    'status=700',
    'delay=6',
    'delay=x',
    'unknown=1',
  ])('takes %s for absent', async (query) => {
    await using responder = await openResponder()
    const { status, body } = await ask(responder.ports.http, `/v1/echo?${query}`)
    expect(status).toBe(200)
    expect(body).toHaveLength(0)
  })

  test('waits for the delay, and counts it as residence', async () => {
    await using responder = await openResponder()
    const { headers } = await ask(responder.ports.http, '/v1/echo?delay=0.2')
    const reading = parseFarEnd(headers)
    const residence = reading.is === 'responder' ? reading.farEnd.residence : 0
    expect(residence).toBeGreaterThan(0.195)
    expect(residence).toBeLessThan(0.5)
  })

  test('sends a body back, up to 1 MiB', async () => {
    await using responder = await openResponder()
    const body = Buffer.alloc(MEBIBYTE, 'any bytes \u0000')
    const answer = await ask(responder.ports.http, '/v1/echo', { method: 'POST', body })
    expect(answer.body.equals(body)).toBe(true)
    const oneMore = Buffer.alloc(MEBIBYTE + 1)
    await expect(ask(responder.ports.http, '/v1/echo', { method: 'POST', body: oneMore })).rejects.toThrow()
    expect(responder.rejects()).toEqual({ body_too_large: 1 })
  })

  test('survives a client that leaves while its body is sent back or its answer delayed', async () => {
    await using responder = await openResponder()
    {
      await using client = await openRawClient(responder.ports.http)
      client.socket.write('POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\npart')
      await using other = await openRawClient(responder.ports.http)
      other.socket.write('GET /v1/echo?delay=0.1 HTTP/1.1\r\nhost: x\r\n\r\n')
      while (responder.value('responder_requests_total', 'http') < 2) await new Promise(setImmediate)
      client.socket.resetAndDestroy()
      other.socket.resetAndDestroy()
    }
    while (responder.value('responder_connections') > 0) await new Promise(setImmediate)
    expect((await ask(responder.ports.http, '/v1/echo')).status).toBe(200)
    expect(responder.rejects()).toEqual({})
  })

  test('answers under its prefix as without', async () => {
    await using responder = await openResponder()
    for (const path of ['/v1/echo?size=5', '/pathmeter/v1/echo?size=5']) {
      expect((await ask(responder.ports.http, path)).body.toString()).toBe('pathm')
    }
    for (const path of [
      '/pathmeterv1/echo',
      '/pathmeter/pathmeter/v1/echo',
      '/other/v1/echo',
      '/pathmeter',
    ]) {
      expect((await ask(responder.ports.http, path)).status).toBe(404)
    }
  })

  test('counts the requests of a connection', async () => {
    await using responder = await openResponder()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ids = new Set<string | undefined>()
    for (let i = 1; i <= 3; i++) {
      const { headers } = await ask(responder.ports.http, '/v1/echo', { agent })
      const connection = parseConnectionHeader(headers)
      expect(connection?.requests).toBe(i)
      ids.add(connection?.id)
    }
    expect(ids.size).toBe(1)
    agent.destroy()
    const { headers } = await ask(responder.ports.http, '/v1/echo')
    expect(ids.has(parseConnectionHeader(headers)?.id)).toBe(false)
    expect(responder.value('responder_requests_total', 'http')).toBe(4)
  })

  test('says that it is draining, also on a connection from before', async () => {
    await using responder = await openResponder()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(
      (await ask(responder.ports.http, '/v1/echo', { agent })).headers['pathmeter-draining'],
    ).toBeUndefined()
    responder.drain()
    expect((await ask(responder.ports.http, '/v1/echo', { agent })).headers['pathmeter-draining']).toBe(
      'true',
    )
    agent.destroy()
  })

  test.each(['größe', 'a\r\nset-cookie: b', '100%', '\ud800'])(
    'of a node called %j puts that into no header as it is',
    async (node) => {
      await using responder = await openResponder({ node, zone: node })
      const { headers } = await ask(responder.ports.http, '/v1/echo')
      expect(parseFarEnd(headers)).toMatchObject({
        farEnd: { node: node.toWellFormed(), zone: node.toWellFormed() },
      })
      expect(headers['set-cookie']).toBeUndefined()
    },
  )

  test('knows who probes it, by name', async () => {
    await using responder = await openResponder()
    for (const from of ['n2', 'n1', 'gr%C3%B6%C3%9Fe', '%zz', '', 'x'.repeat(513)]) {
      await ask(responder.ports.http, '/v1/echo', { headers: { 'pathmeter-from': from } })
    }
    expect(responder.probedBy()).toEqual(['%zz', 'größe', 'n1', 'n2'])
  })
})
