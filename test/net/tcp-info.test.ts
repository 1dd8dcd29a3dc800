import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { loadSocketOptions } from '../../src/net/socket-options.ts'
import { readHandshake } from '../../src/net/tcp-info.ts'
import { isSilent, startPeer } from '../support/peers.ts'

describe('readHandshake', () => {
  test('gives the round trip of a real connect', async () => {
    const options = await loadSocketOptions()
    expect(options.clock).toBe('kernel')
    await using peer = await startPeer(isSilent)
    const socket = await connected(peer.port)
    const facts = readHandshake(socket, options)
    socket.destroy()
    expect(facts).toMatchObject({ synRetransmits: 0 })
    expect(facts?.rtt).toBeGreaterThan(0)
    expect(facts?.rtt).toBeLessThan(0.05)
    expect(facts?.mss).toBeGreaterThan(500)
    expect(facts?.pathMtu).toBeGreaterThan(facts?.mss ?? 0)
  })

  test('gives nothing of a socket that is closed', async () => {
    const options = await loadSocketOptions()
    await using peer = await startPeer(isSilent)
    const socket = await connected(peer.port)
    socket.destroy()
    expect(readHandshake(socket, options)).toBeUndefined()
  })

  test('gives nothing of a descriptor that the kernel does not know, or that is no TCP socket', async () => {
    const options = await loadSocketOptions()
    if (options.clock === 'user') throw new Error(options.why)
    const buffer = new Uint8Array(256)
    expect(options.readTcpInfo(1_000_000, buffer)).toBe(-1)
    expect(options.readTcpInfo(0, buffer)).toBe(-1)
  })

  test('gives nothing without the native library', async () => {
    await using peer = await startPeer(isSilent)
    const socket = await connected(peer.port)
    expect(readHandshake(socket, { clock: 'user', why: 'a test' })).toBeUndefined()
    socket.destroy()
  })
})

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return socket
}
