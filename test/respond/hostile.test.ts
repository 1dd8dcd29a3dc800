import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/net/clock.ts'
import { encodeFrame } from '../../src/wire/echo-frame.ts'
import { requestFrame } from '../support/frames.ts'
import { ask } from '../support/http-get.ts'
import { exchange, framesIn, openRawClient } from '../support/raw-client.ts'
import { openResponder, type TestResponder } from '../support/responder.ts'

const frame = encodeFrame(requestFrame())

describe('tcp responder', () => {
  test.each([
    { what: 'another protocol', bytes: Buffer.from('GET / HTTP/1.1\r\n\r\n'), reason: 'bad_magic' },
    { what: 'a newer version', bytes: changed(4, 9), reason: 'newer_version' },
    { what: 'an unknown verb', bytes: changed(5, 9), reason: 'unknown_verb' },
    { what: 'too much payload', bytes: changed(28, 9), reason: 'too_long' },
    {
      what: 'a broken identity',
      bytes: Buffer.concat([changed(7, 8), Buffer.from([0, 2, 9, 9])]),
      reason: 'bad_identity',
    },
    { what: 'a reply', bytes: changed(7, 1), reason: 'reply_as_request' },
  ])('closes on $what, says nothing, and counts it', async ({ bytes, reason }) => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    client.socket.write(bytes)
    await client.ended
    expect(client.received()).toHaveLength(0)
    expect(responder.rejects()).toEqual({ [reason]: 1 })
    await stillAnswers(responder)
  })

  test('closes on noise behind good frames', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    await exchange(client, requestFrame())
    client.socket.write('noise')
    await client.ended
    expect(responder.rejects()).toEqual({ bad_magic: 1 })
  })

  test('does not wait for the end of a frame that is dripped', async () => {
    await using responder = await openResponder({ arrival: 0.3 })
    await using idle = await openRawClient(responder.ports.tcp)
    await exchange(idle, requestFrame())
    await using client = await openRawClient(responder.ports.tcp)
    await exchange(client, requestFrame())
    const before = systemClock.now()
    const drip = setInterval(() => client.socket.write(frame.subarray(0, 1)), 500)
    client.socket.write(frame.subarray(0, 20))
    await client.ended
    clearInterval(drip)
    expect(systemClock.now() - before).toBeGreaterThan(0.29)
    expect(responder.rejects()).toEqual({ slow_frame: 1 })
    // Who has begun nothing may take all the time.
    expect(await exchange(idle, requestFrame())).toHaveLength(1)
  })

  test('does not call a long stream of frames slow, wherever its reads end', async () => {
    await using responder = await openResponder({ arrival: 0.2 })
    await using client = await openRawClient(responder.ports.tcp)
    const end = systemClock.now() + 0.6
    let sent = 0
    client.socket.write(frame.subarray(0, 10))
    while (systemClock.now() < end) {
      client.socket.write(Buffer.concat([frame.subarray(10), frame.subarray(0, 10)]))
      sent += 1
      await client.until((bytes) => framesIn(bytes).length === sent)
      await sleep(20)
    }
    expect(responder.rejects()).toEqual({})
  })

  test('does not fill its memory with answers that nobody reads, and goes on when they are read', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    await using responder = await openResponder({ limits: { bytesPerSecond: 1e9 } })
    await using client = await openRawClient(responder.ports.tcp)
    const batch = Buffer.concat(
      Array<Buffer>(1000).fill(encodeFrame(requestFrame({ payload: Buffer.alloc(1000) }))),
    )
    client.socket.pause()

    // What the buffers of both sockets take is 20 MB at the most; of 100 MB the rest must stay here.
    let batches = 0
    while (batches < 100) {
      batches += 1
      if (client.socket.write(batch)) continue
      const drained = await Promise.race([once(client.socket, 'drain'), sleep(1000, 'stuck')])
      if (drained === 'stuck') break
    }
    expect(batches).toBeLessThan(50)
    expect(responder.rejects()).toEqual({})

    let received = 0
    client.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    client.socket.resume()
    const identity = 2 + 2 + 'peer-1'.length + 2 + 'zone-b'.length + 2 + '1.2.3'.length
    const all = batches * batch.length + identity
    while (received < all) await sleep(5)
    expect(received).toBe(all)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  test('keeps a rate while answers are not read', async () => {
    await using responder = await openResponder({ limits: { bytesPerSecond: 65_536 } })
    await using client = await openRawClient(responder.ports.tcp)
    client.socket.pause()
    // 16 frames of 64 KiB would take half a minute.
    for (let i = 0; i < 16; i++)
      client.socket.write(encodeFrame(requestFrame({ payload: Buffer.alloc(65_536) })))
    await sleep(600)
    expect(responder.value('responder_requests_total', 'tcp')).toBeLessThan(4)
  })
})

describe('http responder', () => {
  test.each([
    { what: 'no HTTP', text: '\u0000\u0001\u0002\r\n\r\n' },
    { what: 'HTTP/2', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    {
      what: 'a flood of headers',
      text: `GET / HTTP/1.1\r\nhost: x\r\n${'x-more: and more\r\n'.repeat(2000)}\r\n`,
    },
    { what: 'one endless header', text: `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}` },
    {
      what: 'two lengths',
      text: 'POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    },
    {
      what: 'a bad chunk',
      text: 'POST /v1/echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    },
  ])('closes on $what, and counts it', async ({ text }) => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.http)
    client.socket.write(text)
    await client.ended
    expect(client.received().toString()).toBe('')
    expect(responder.rejects()).toEqual({ bad_http: 1 })
    await stillAnswers(responder)
  })

  test.each([
    { what: 'that says nothing', text: '', reason: 'slow_http' },
    { what: 'whose head is dripped', text: 'GET / HTTP/1.1\r\nx: y', reason: 'slow_http' },
    {
      what: 'whose body is dripped',
      text: 'POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nx',
      reason: 'slow_http',
    },
  ])('does not wait for the end of a request $what', async ({ text, reason }) => {
    await using responder = await openResponder({ arrival: 0.2 })
    await using client = await openRawClient(responder.ports.http)
    client.socket.write(text)
    const drip = setInterval(() => client.socket.write('x'), 50)
    if (text === '') clearInterval(drip)
    await client.ended
    clearInterval(drip)
    expect(responder.rejects()).toEqual({ [reason]: 1 })
  })

  test('keeps an idle connection that has been answered', async () => {
    await using responder = await openResponder({ arrival: 0.1 })
    await using client = await openRawClient(responder.ports.http)
    const request = 'GET /v1/echo?size=3 HTTP/1.1\r\nhost: x\r\n\r\n'
    client.socket.write(request)
    await client.until((bytes) => bytes.includes('\r\n\r\npat'))
    await sleep(600)
    client.socket.write(request)
    await client.until((bytes) => bytes.includes('requests=2'))
    expect(responder.rejects()).toEqual({})
  })

  test('closes on a client that asks again and again and does not wait for answers', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.http)
    client.socket.write('GET /v1/echo?delay=5&size=1048576 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000))
    await client.ended
    expect(responder.rejects()).toEqual({ too_many_pipelined: 1 })
    expect(responder.value('responder_requests_total', 'http')).toBeLessThan(20)
    await stillAnswers(responder)
  })

  test('answers a few requests that came at once, in order', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.http)
    client.socket.write('GET /v1/echo?delay=0.05 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(10))
    const received = await client.until((bytes) => bytes.includes('requests=10'))
    const counts = [...received.toString().matchAll(/requests=(\d+)/g)].map(([, count]) => Number(count))
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('does not count it as bad when a client resets its connection', async () => {
    await using responder = await openResponder()
    const client = await openRawClient(responder.ports.http)
    client.socket.write('GET /v1/ec')
    await sleep(20)
    client.socket.resetAndDestroy()
    while (responder.value('responder_connections') > 0) await sleep(1)
    expect(responder.rejects()).toEqual({})
  })
})

describe('responder', () => {
  test('answers others whatever anybody sends', async () => {
    await using responder = await openResponder()
    const near = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([frame.subarray(0, 28), bytes])),
      fc
        .string({ unit: 'binary' })
        .map((text) => Buffer.from(`POST /v1/echo?size=${text} HTTP/1.1\r\n${text}`)),
    )
    await fc.assert(
      fc.asyncProperty(near, fc.boolean(), async (bytes, gently) => {
        for (const port of Object.values(responder.ports)) {
          await using client = await openRawClient(port)
          client.socket.write(bytes)
          if (gently) client.socket.end()
          else client.socket.resetAndDestroy()
        }
      }),
      { numRuns: 50 },
    )
    await stillAnswers(responder)
    while (responder.value('responder_connections') > 0) await sleep(1)
  })
})

async function stillAnswers(responder: TestResponder): Promise<void> {
  expect((await ask(responder.ports.http, '/v1/echo')).status).toBe(200)
  await using client = await openRawClient(responder.ports.tcp)
  expect(await exchange(client, requestFrame())).toHaveLength(1)
}

/** A request with one byte changed. */
function changed(place: number, value: number): Buffer {
  const bytes = Buffer.from(frame)
  bytes[place] = value
  return bytes
}
