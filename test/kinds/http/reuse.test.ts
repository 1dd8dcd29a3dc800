import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startProbing } from '../../support/attempt.ts'
import { createCertificate, trust } from '../../support/certificate.ts'
import { httpCheck } from '../../support/checks.ts'
import { rightAnswer } from '../../support/http-text.ts'
import { openIo } from '../../support/io.ts'
import { fdOf, hasKeepAlive } from '../../support/native-sockets.ts'
import { answersInTurn, finish, startPeer } from '../../support/peers.ts'
import { openResponder } from '../../support/responder.ts'

/** A right answer to the n-th request of a connection. */
function right(nth: number, headers: Readonly<Record<string, string>> = {}): (socket: Socket) => void {
  return (socket) => socket.write(rightAnswer({ 'pathmeter-connection': `abc; requests=${nth}`, ...headers }))
}

describe('http probe on a kept connection', () => {
  test('makes one connection and reuses it, by the count of the responder', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    await using probing = startProbing(httpCheck(responder.ports.http, {}, 'reused'), io)

    const first = await probing.attempt()
    expect(first.facts).toMatchObject({ reused: false, reconnected: true, status: 200, bytes: 512 })
    expect(first.phases.connect).toBeGreaterThan(0)
    expect(first.facts.idleAge).toBeUndefined()

    for (let i = 0; i < 3; i++) {
      await sleep(40)
      const { failure, facts, phases } = await probing.attempt()
      expect(failure).toBeUndefined()
      expect(facts).toMatchObject({ reused: true, reconnected: false })
      expect(facts.kernel).toBeUndefined()
      expect(facts.idleAge).toBeGreaterThan(0.035)
      expect(phases.connect).toBeUndefined()
    }
    expect(io.dialer.open).toBe(1)
    expect(responder.value('responder_connections')).toBe(1)
  })

  test('goes by its own connection where a foreign server counts none', async () => {
    const page = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    await using peer = await startPeer(answersInTurn(page, page))
    await using io = await openIo()
    const { responder: _, ...options } = httpCheck(peer.port).options
    await using probing = startProbing({ ...httpCheck(peer.port, {}, 'reused'), options }, io)
    expect((await probing.attempt()).facts).toMatchObject({ reused: false, reconnected: true })
    expect((await probing.attempt()).facts).toMatchObject({ reused: true, reconnected: false })
    expect(peer.accepted).toBe(1)
  })

  test.each(['fin', 'rst'] as const)(
    'reports reuse_reset when it ends (%s) under the second request, and then a new one is made',
    async (end) => {
      await using peer = await startPeer(answersInTurn(right(1), (socket) => finish(socket, end)))
      await using io = await openIo()
      await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
      expect((await probing.attempt()).failure).toBeUndefined()
      await sleep(30)
      const { failure, facts } = await probing.attempt()
      expect(failure).toMatchObject({ reason: 'reuse_reset', phase: 'first_byte' })
      expect(facts).toMatchObject({ reconnected: false })
      await allClosed(() => io.dialer.open)
      expect((await probing.attempt()).facts).toMatchObject({ reconnected: true, reused: false })
      expect(peer.accepted).toBe(2)
    },
  )

  test('reports reuse_reset over TLS too, where a farewell precedes the end', async () => {
    const certificate = createCertificate('IP:127.0.0.1')
    trust(certificate)
    const script = answersInTurn(right(1), (socket) => finish(socket, 'fin'))
    await using peer = await startPeer(script, { tls: certificate })
    await using io = await openIo()
    await using probing = startProbing(httpCheck(peer.port, { tls: true }, 'reused'), io)
    expect((await probing.attempt()).failure).toBeUndefined()
    expect((await probing.attempt()).failure).toMatchObject({ reason: 'reuse_reset' })
  })

  test('reports truncated, not reuse_reset, when part of the second answer came', async () => {
    const part = (socket: Socket) => socket.end(rightAnswer().slice(0, 300))
    await using peer = await startPeer(answersInTurn(right(1), part))
    await using io = await openIo()
    await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
    await probing.attempt()
    expect((await probing.attempt()).failure).toMatchObject({ reason: 'truncated' })
  })

  test.each(['fin', 'rst'] as const)(
    'reconnects without a failure when it was ended (%s) while idle',
    async (end) => {
      const ended = Promise.withResolvers<Socket>()
      await using peer = await startPeer(
        answersInTurn((socket) => {
          right(1)(socket)
          ended.resolve(socket)
        }),
      )
      await using io = await openIo()
      await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
      expect((await probing.attempt()).failure).toBeUndefined()
      finish(await ended.promise, end)
      await allClosed(() => io.dialer.open)
      const { failure, facts } = await probing.attempt()
      expect(failure).toBeUndefined()
      expect(facts).toMatchObject({ reconnected: true, reused: false })
      expect(facts.kernel).toBeDefined()
    },
  )

  test('reconnects without a failure when the answer said that it closes the connection', async () => {
    await using peer = await startPeer(answersInTurn(right(1, { connection: 'close' })))
    await using io = await openIo()
    await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
    for (let i = 0; i < 3; i++) {
      const { failure, facts } = await probing.attempt()
      expect(failure).toBeUndefined()
      expect(facts.reconnected).toBe(true)
    }
    expect(peer.accepted).toBe(3)
  })

  test('is not warm when something between made a new connection behind it', async () => {
    await using peer = await startPeer(answersInTurn(right(1), right(1)))
    await using io = await openIo()
    await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
    await probing.attempt()
    const { facts } = await probing.attempt()
    expect(facts).toMatchObject({ reused: false, reconnected: true })
    expect(peer.accepted).toBe(1)
  })

  // Node itself would keep no connection for which 1 s is announced.
  test.each([1, 2])(
    'outlives the %d s of idle time that the server announces, and notes them',
    async (seconds) => {
      const headers = { 'keep-alive': `timeout=${seconds}` }
      await using peer = await startPeer(answersInTurn(right(1, headers), right(2, headers)))
      await using io = await openIo()
      await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
      await probing.attempt()
      await sleep(1300)
      const { failure, facts } = await probing.attempt()
      expect(failure).toBeUndefined()
      expect(facts).toMatchObject({ reused: true, reconnected: false, announcedIdle: seconds })
      expect(facts.idleAge).toBeGreaterThan(1.2)
    },
  )

  test('has no TCP keepalive, neither in an exchange nor between two', async () => {
    let fd = -1
    const within: boolean[] = []
    const observing = (nth: number) => (socket: Socket) => {
      within.push(hasKeepAlive(fd))
      right(nth)(socket)
    }
    await using peer = await startPeer(answersInTurn(observing(1), observing(2)))
    await using io = await openIo()
    const dial: typeof io.dialer.dial = async (...args) => {
      const connection = await io.dialer.dial(...args)
      fd = fdOf(connection.stream)
      return connection
    }
    const dialer = { dial, open: 0 }
    await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), { ...io, dialer })
    await probing.attempt()
    expect(hasKeepAlive(fd)).toBe(false)
    await sleep(20)
    expect(hasKeepAlive(fd)).toBe(false)
    await probing.attempt()
    expect(hasKeepAlive(fd)).toBe(false)
    expect(within).toEqual([false, false])
  })

  test('is closed with its prober', async () => {
    await using peer = await startPeer(answersInTurn(right(1)))
    await using io = await openIo()
    {
      await using probing = startProbing(httpCheck(peer.port, {}, 'reused'), io)
      await probing.attempt()
      expect(io.dialer.open).toBe(1)
    }
    await allClosed(() => io.dialer.open)
  })
})

/** Resolves when the last socket has reported its end; the test's own limit ends the wait. */
async function allClosed(open: () => number): Promise<void> {
  while (open() > 0) await sleep(1)
}
