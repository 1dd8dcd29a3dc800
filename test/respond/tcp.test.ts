import { describe, expect, test } from 'vitest'
import { encodeFrame } from '../../src/wire/echo-frame.ts'
import { nodeHash } from '../../src/wire/node-hash.ts'
import { requestFrame } from '../support/frames.ts'
import { exchange, openRawClient } from '../support/raw-client.ts'
import { openResponder } from '../support/responder.ts'

describe('tcp responder', () => {
  test('sends a frame back, and says who it is once per connection', async () => {
    await using responder = await openResponder()
    for (let connection = 0; connection < 2; connection++) {
      await using client = await openRawClient(responder.ports.tcp)
      const payload = Buffer.from('hello')
      const [first] = await exchange(client, requestFrame({ sequence: 41, payload }))
      expect(first).toMatchObject({
        verb: 'echo',
        reply: true,
        draining: false,
        sequence: 41,
        nonce: requestFrame().nonce,
        nodeHash: nodeHash('peer-1'),
        identity: { node: 'peer-1', zone: 'zone-b', version: '1.2.3' },
      })
      expect(first?.payload.toString()).toBe('hello')
      expect(first?.residence).toBeLessThan(1)
      const [second] = await exchange(client, requestFrame({ sequence: 42 }))
      expect(second).toMatchObject({ sequence: 42, nodeHash: nodeHash('peer-1') })
      expect(second).not.toHaveProperty('identity')
    }
    expect(responder.value('responder_requests_total', 'tcp')).toBe(4)
    expect(responder.value('responder_requests_total', 'http')).toBe(0)
  })

  test('answers many frames in order, however they arrive', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    const requests = Array.from({ length: 500 }, (_, sequence) => requestFrame({ sequence }))
    const replies = await exchange(client, ...requests)
    expect(replies.map(({ sequence }) => sequence)).toEqual(requests.map(({ sequence }) => sequence))
  })

  test('sends the largest payload back', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    const payload = Buffer.alloc(65_536, 'pathmeter')
    const [reply] = await exchange(client, requestFrame({ payload }))
    expect(payload.equals(reply?.payload ?? new Uint8Array())).toBe(true)
  })

  test('says that it is draining, also on a connection from before', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    expect((await exchange(client, requestFrame()))[0]?.draining).toBe(false)
    responder.drain()
    expect((await exchange(client, requestFrame()))[0]?.draining).toBe(true)
  })

  test('closes after bye, and counts that as nothing bad', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    await exchange(client, requestFrame())
    const reply = client.received()
    client.socket.write(encodeFrame(requestFrame({ verb: 'bye' })))
    expect(await client.ended).toBe('fin')
    expect(client.received()).toEqual(reply)
    expect(responder.rejects()).toEqual({})
  })

  test('knows who probes it, by hash as long as nobody told the name', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    await exchange(client, requestFrame({ nodeHash: nodeHash('n9') }))
    expect(responder.probedBy()).toEqual([nodeHash('n9')])
    expect(responder.value('incoming_probers')).toBe(1)
  })
})
