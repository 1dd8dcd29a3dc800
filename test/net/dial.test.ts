import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/net/clock.ts'
import { type Connection, ConnectionLost } from '../../src/net/connection.ts'
import { Cancelled } from '../../src/net/deadline.ts'
import type { DialOptions } from '../../src/net/dial.ts'
import { PhaseTimer } from '../../src/net/phase-timer.ts'
import { createCertificate } from '../support/certificate.ts'
import { openIo, type TestIo } from '../support/io.ts'
import { endWrites, fdOf, startFullListener } from '../support/native-sockets.ts'
import { finish, isSilent, startPeer } from '../support/peers.ts'

const never = new AbortController().signal

function dial(io: TestIo, port: number, tls?: DialOptions['tls'], signal = never): Promise<Connection> {
  const timer = new PhaseTimer(systemClock, 'other')
  return io.dialer.dial({ address: '127.0.0.1', port, family: 4, tls }, timer, signal)
}

describe('dialer', () => {
  test('counts the sockets that are open', async () => {
    await using peer = await startPeer(isSilent)
    await using io = await openIo()
    const connections = await Promise.all([1, 2, 3].map(() => dial(io, peer.port)))
    expect(io.dialer.open).toBe(3)
    connections[0]?.reset()
    connections[1]?.[Symbol.dispose]()
    while (io.dialer.open > 1) await sleep(1)
    connections[2]?.[Symbol.dispose]()
  })

  test('leaves no socket when the signal is aborted while the SYN is under way', async () => {
    await using listener = await startFullListener()
    await using io = await openIo()
    const stop = new AbortController()
    const dialling = dial(io, listener.port, undefined, stop.signal)
    expect(io.dialer.open).toBe(1)
    stop.abort(new Cancelled())
    await expect(dialling).rejects.toBeInstanceOf(Cancelled)
  })

  test('makes no socket under a signal that is aborted', async () => {
    await using io = await openIo()
    const dialling = dial(io, 9, undefined, AbortSignal.abort(new Cancelled()))
    await expect(dialling).rejects.toBeInstanceOf(Cancelled)
    expect(io.dialer.open).toBe(0)
  })

  test('leaves no socket when TLS cannot even begin', async () => {
    await using peer = await startPeer(isSilent)
    await using io = await openIo()
    await expect(dial(io, peer.port, { servername: '127.0.0.1' })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    })
  })

  test('counts a TLS connection once, and closes it whole', async () => {
    const { key, cert } = createCertificate('IP:127.0.0.1')
    await using peer = await startPeer(isSilent, { tls: { key, cert } })
    await using io = await openIo()
    const connection = await dial(io, peer.port, { ca: cert })
    expect(io.dialer.open).toBe(1)
    expect(connection.kernel?.rtt).toBeGreaterThan(0)
    connection[Symbol.dispose]()
  })

  test('refuses a port that is none', async () => {
    await using io = await openIo()
    await expect(dial(io, 70_000)).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' })
  })
})

describe('connection', () => {
  test.each([
    ['fin', 'fin', 'Connection closed by the other end (FIN) after 5 bytes sent and 3 received'],
    ['rst', 'rst', 'Connection reset by the other end (RST) after 5 bytes sent and 3 received'],
  ] as const)('keeps how it ended: %s', async (end, how, message) => {
    await using peer = await startPeer((socket) => {
      socket.once('data', () => socket.write('abc', () => setTimeout(() => finish(socket, end), 20)))
    })
    await using io = await openIo()
    using connection = await dial(io, peer.port)
    connection.beginExchange()
    connection.stream.resume().write('hello')
    while (connection.isOpen) await sleep(1)
    expect(connection.ending()).toEqual({ how, sent: 5, received: 3, reused: false })
    expect(new ConnectionLost(connection).message).toBe(message)
    const age = connection.sinceConnect()
    await sleep(5)
    expect(connection.sinceConnect()).toBe(age)
  })

  test('counts each exchange by itself', async () => {
    await using peer = await startPeer((socket) => {
      socket.on('data', (chunk: Buffer) => socket.write(chunk))
    })
    await using io = await openIo()
    using connection = await dial(io, peer.port)
    for (const [word, reused] of [
      ['one', false],
      ['three', true],
    ] as const) {
      connection.beginExchange()
      const answer = new Promise((resolve) => connection.stream.once('data', resolve))
      connection.stream.write(word)
      await answer
      connection.endExchange()
      expect(connection.ending()).toEqual({ how: 'open', sent: word.length, received: word.length, reused })
    }
    await sleep(30)
    expect(connection.beginExchange()).toBeGreaterThan(0.025)
  })

  test('calls it a FIN when writing fails because the other end had closed', async () => {
    const accepted = Promise.withResolvers<Socket>()
    await using peer = await startPeer(accepted.resolve)
    await using io = await openIo()
    using connection = await dial(io, peer.port)
    const far = await accepted.promise
    // All in one turn of the loop, as in a process that is busy: the FIN is not read before the next write.
    endWrites(fdOf(far))
    far.resetAndDestroy()
    connection.stream.write('too late')
    const [error] = await once(connection.stream, 'error')
    expect(error).toMatchObject({ code: 'EPIPE' })
    expect(connection.ending().how).toBe('fin')
  })

  test('is not open for another exchange once whoever used it has begun to close it', async () => {
    await using peer = await startPeer(isSilent)
    await using io = await openIo()
    using connection = await dial(io, peer.port)
    expect(connection.isOpen).toBe(true)
    connection.stream.end()
    expect(connection.isOpen).toBe(false)
  })
})
