import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/net/clock.ts'
import { nodeHash } from '../../src/wire/node-hash.ts'
import { requestFrame } from '../support/frames.ts'
import { ask } from '../support/http-get.ts'
import { exchange, openRawClient, type RawClient } from '../support/raw-client.ts'
import { openResponder, type TestResponder } from '../support/responder.ts'

describe('responder', () => {
  test('turns away connections above the total, of all protocols together, until one ends', async () => {
    await using responder = await openResponder({ limits: { connections: 2 } })
    await using first = await held(responder.ports.tcp)
    await using second = await openRawClient(responder.ports.http)
    await connectionsOf(responder, 2)
    await expect(ask(responder.ports.http, '/v1/echo')).rejects.toThrow()
    await using refused = await openRawClient(responder.ports.tcp)
    await refused.ended
    expect(responder.rejects()).toEqual({ too_many_connections: 2 })

    first.socket.destroy()
    await connectionsOf(responder, 1)
    expect((await ask(responder.ports.http, '/v1/echo')).status).toBe(200)
    expect(second.socket.destroyed).toBe(false)
  })

  test('turns away connections of one address above its limit, and none of another', async () => {
    await using responder = await openResponder({ limits: { perAddress: 1 } })
    await using first = await held(responder.ports.tcp)
    await using refused = await openRawClient(responder.ports.tcp)
    await refused.ended
    await using other = await openRawClient(responder.ports.tcp, '127.0.0.2')
    expect(await exchange(other, requestFrame())).toHaveLength(1)
    expect(await exchange(first, requestFrame())).toHaveLength(1)
    expect(responder.rejects()).toEqual({ too_many_per_address: 1 })
  })

  test('counts a source as an address and the node that it claims to be', async () => {
    await using responder = await openResponder({ limits: { perSource: 2 } })
    const n1 = { nodeHash: nodeHash('n1') }
    await using a = await held(responder.ports.tcp, n1.nodeHash)
    await using b = await held(responder.ports.tcp, n1.nodeHash)
    await using another = await held(responder.ports.tcp, nodeHash('n2'))
    await using refused = await openRawClient(responder.ports.tcp)
    await expect(exchange(refused, requestFrame(n1))).rejects.toThrow('Ended')
    // The same node over http is the same source.
    await expect(
      ask(responder.ports.http, '/v1/echo', { headers: { 'pathmeter-from': 'n1' } }),
    ).rejects.toThrow()
    expect(
      (await ask(responder.ports.http, '/v1/echo', { headers: { 'pathmeter-from': 'n3' } })).status,
    ).toBe(200)
    expect(responder.rejects()).toEqual({ too_many_per_source: 2 })
    for (const client of [a, b, another]) expect(client.socket.destroyed).toBe(false)
  })

  test('counts those that claim nothing as one source', async () => {
    await using responder = await openResponder({ limits: { perSource: 2 } })
    await using first = await openRawClient(responder.ports.tcp)
    await using second = await openRawClient(responder.ports.http)
    await connectionsOf(responder, 2)
    await using refused = await openRawClient(responder.ports.tcp)
    await refused.ended
    expect(responder.rejects()).toEqual({ too_many_per_source: 1 })
    expect([first, second].map(({ socket }) => socket.destroyed)).toEqual([false, false])
  })

  test('lets a connection that names itself again keep its place', async () => {
    await using responder = await openResponder({ limits: { perSource: 1 } })
    await using client = await held(responder.ports.tcp, nodeHash('n1'))
    for (const name of ['n1', 'n2', 'n1']) {
      expect(await exchange(client, requestFrame({ nodeHash: nodeHash(name) }))).toHaveLength(1)
    }
    expect(responder.rejects()).toEqual({})
  })

  test('ends connections that are held for too long', async () => {
    await using responder = await openResponder({ limits: { hold: 0.3 } })
    const before = systemClock.now()
    await using tcp = await held(responder.ports.tcp)
    await using http = await openRawClient(responder.ports.http)
    await Promise.all([tcp.ended, http.ended])
    expect(systemClock.now() - before).toBeGreaterThan(0.29)
    expect(responder.rejects()).toEqual({ held_too_long: 2 })
    await connectionsOf(responder, 0)
  })

  test('lets frames above the rate wait, in order', async () => {
    await using responder = await openResponder({ limits: { bytesPerSecond: 65_536 } })
    await using client = await openRawClient(responder.ports.tcp)
    const before = systemClock.now()
    const requests = [0, 1, 2].map((sequence) => requestFrame({ sequence, payload: Buffer.alloc(32_768) }))
    const replies = await exchange(client, ...requests)
    // Both directions make 192 KiB, of which 64 KiB are free and at most 128 KiB are not waited for at the end.
    expect(systemClock.now() - before).toBeGreaterThan(0.9)
    expect(replies.map(({ sequence }) => sequence)).toEqual([0, 1, 2])
    expect(responder.rejects()).toEqual({})
  })

  test('lets a request wait for the bytes of the one before, on the same connection alone', async () => {
    await using responder = await openResponder({ limits: { bytesPerSecond: 65_536 } })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const times: number[] = []
    for (const own of [agent, agent, undefined]) {
      const before = systemClock.now()
      await ask(responder.ports.http, `/v1/echo?size=${96 * 1024}`, own === undefined ? {} : { agent: own })
      times.push(systemClock.now() - before)
    }
    agent.destroy()
    const [first = 0, second = 0, other = 0] = times
    expect(second).toBeGreaterThan(0.4)
    expect(Math.max(first, other)).toBeLessThan(second)
  })
})

/** A connection that has been answered, so that it counts for the node. */
async function held(port: number, hash = nodeHash('tester')): Promise<RawClient> {
  const client = await openRawClient(port)
  await exchange(client, requestFrame({ nodeHash: hash }))
  return client
}

async function connectionsOf(responder: TestResponder, count: number): Promise<void> {
  while (responder.value('responder_connections') !== count) await sleep(1)
}
