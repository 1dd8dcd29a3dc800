import { describe, expect, test } from 'vitest'
import { durationOf } from '../../../src/model/observation.ts'
import { attemptOnce, startProbing } from '../../support/attempt.ts'
import { httpCheck } from '../../support/checks.ts'
import { answerText, rightAnswer } from '../../support/http-text.ts'
import { openIo, TEST_NODE } from '../../support/io.ts'
import { answers, startPeer, writeInBytes } from '../../support/peers.ts'
import { openResponder } from '../../support/responder.ts'

describe('http probe', () => {
  test('measures a responder: phases that add up, who answered, what the kernel saw', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    const before = io.clock.now()
    const seen = await attemptOnce(httpCheck(responder.ports.http), io)
    const elapsed = io.clock.now() - before

    expect(seen.failure).toBeUndefined()
    expect(Object.keys(seen.phases).sort()).toEqual(['connect', 'first_byte', 'other', 'request', 'transfer'])
    expect(durationOf(seen)).toBeLessThanOrEqual(elapsed)
    expect(seen.at).toBeGreaterThanOrEqual(before)
    expect(seen.facts).toMatchObject({
      status: 200,
      bytes: 512,
      reused: false,
      reconnected: false,
      farEnd: { node: 'peer-1', zone: 'zone-b', version: '1.2.3', draining: false },
    })
    expect(seen.facts.farEnd?.residence).toBeLessThan(elapsed)
    expect(seen.facts.kernel).toMatchObject({ synRetransmits: 0 })
    expect(seen.noise.own).toBeGreaterThanOrEqual(0)
    expect(seen.noise.far).toBeGreaterThanOrEqual(0)
    expect(responder.probedBy()).toEqual([TEST_NODE])
  })

  test('puts the wait for the answer into first_byte, and says how much of it was residence', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    const path = '/v1/echo?size=512&delay=0.2'
    const { phases, facts } = await attemptOnce(httpCheck(responder.ports.http, { path }), io)
    expect(phases.first_byte).toBeGreaterThan(0.199)
    expect(facts.farEnd?.residence).toBeGreaterThan(0.199)
    expect(facts.farEnd?.residence).toBeLessThanOrEqual(phases.first_byte ?? 0)
  })

  test('reads an answer that comes a byte at a time', async () => {
    await using peer = await startPeer((socket) => {
      socket.once('data', () => writeInBytes(socket, Buffer.from(rightAnswer())))
    })
    await using io = await openIo()
    const { failure, facts } = await attemptOnce(httpCheck(peer.port), io)
    expect(failure).toBeUndefined()
    expect(facts.bytes).toBe(512)
  })

  test.each([
    {
      body: 'chunked',
      text: answerText({ 'transfer-encoding': 'chunked' }, `200\r\n${'x'.repeat(512)}\r\n0\r\n\r\n`),
    },
    { body: 'delimited by the end', text: answerText({ connection: 'close' }, 'x'.repeat(512)) },
  ])('accepts a whole body that is $body', async ({ text }) => {
    await using peer = await startPeer(answers(text, 'fin'))
    await using io = await openIo()
    const { failure, facts } = await attemptOnce(httpCheck(peer.port), io)
    expect(failure).toBeUndefined()
    expect(facts.bytes).toBe(512)
  })

  test('accepts the largest body, 1 MiB', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    const options = { path: '/v1/echo?size=1048576', responder: { bytes: 1_048_576 } }
    const { failure, facts } = await attemptOnce(httpCheck(responder.ports.http, options), io)
    expect(failure).toBeUndefined()
    expect(facts.bytes).toBe(1_048_576)
  })

  test.each([
    { status: '204 No Content', expected: undefined },
    { status: '302 Found', expected: undefined },
    { status: '403 Forbidden', expected: 'forbidden' },
    { status: '500 Internal Server Error', expected: 'http_status' },
  ])(
    'finds $expected in $status of a foreign target, and names no node to it',
    async ({ status, expected }) => {
      let request = ''
      await using peer = await startPeer((socket, nth) => {
        socket.on('data', (chunk: Buffer) => {
          request += chunk.toString()
        })
        answers(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)(socket, nth)
      })
      await using io = await openIo()
      const { responder: _ours, ...foreign } = httpCheck(peer.port).options
      const check = {
        ...httpCheck(peer.port),
        options: { ...foreign, path: '/healthz', host: 'models.test' },
      }
      const { failure, facts } = await attemptOnce(check, io)
      expect(failure?.reason).toBe(expected)
      expect(facts.status).toBe(Number(status.slice(0, 3)))
      expect(request.toLowerCase()).toContain(
        'get /healthz http/1.1\r\nhost: models.test\r\nuser-agent: pathmeter\r\n',
      )
      expect(request.toLowerCase()).not.toContain('pathmeter-from')
    },
  )

  test('brackets an IPv6 address in the host header', async () => {
    let request = ''
    await using peer = await startPeer(
      (socket) => {
        socket.once('data', (chunk: Buffer) => {
          request = chunk.toString()
          socket.write(rightAnswer())
        })
      },
      { host: '::1' },
    )
    await using io = await openIo()
    const check = httpCheck(peer.port, {}, 'new', { address: '::1', family: 6 })
    expect((await attemptOnce(check, io)).failure).toBeUndefined()
    expect(request).toMatch(new RegExp(`^host: \\[::1\\]:${peer.port}\\r$`, 'im'))
  })

  test('leaves no TLS, no idle age and no kept socket behind on new connections', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    await using probing = startProbing(httpCheck(responder.ports.http), io)
    for (let i = 0; i < 3; i++) {
      const { facts, phases } = await probing.attempt()
      expect(facts).toMatchObject({ reused: false, reconnected: false })
      expect(facts.idleAge).toBeUndefined()
      expect(phases.tls).toBeUndefined()
    }
  })
})
