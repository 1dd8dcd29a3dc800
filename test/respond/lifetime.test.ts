import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import { systemClock } from '../../src/net/clock.ts'
import { Starvation } from '../../src/net/starvation.ts'
import { startResponder } from '../../src/respond/responder.ts'
import { attemptOnce } from '../support/attempt.ts'
import { httpCheck, tcpCheck } from '../support/checks.ts'
import { requestFrame } from '../support/frames.ts'
import { openIo } from '../support/io.ts'
import { exchange, openRawClient } from '../support/raw-client.ts'
import { openResponder } from '../support/responder.ts'
import { startResponderProcess } from '../support/responder-process.ts'

describe('responder', () => {
  test('closes at once, with 60 idle connections and requests in flight', async () => {
    const responder = await openResponder()
    const idle = Array.from({ length: 60 }, (_, i) =>
      openRawClient(i % 2 === 0 ? responder.ports.tcp : responder.ports.http),
    )
    const clients = await Promise.all(idle)
    for (const { socket } of clients.slice(0, 20)) {
      socket.write(
        socket.remotePort === responder.ports.http
          ? 'GET /v1/echo?delay=5 HTTP/1.1\r\nhost: x\r\n\r\n'
          : 'PMTR',
      )
    }
    while (responder.value('responder_connections') < 60) await sleep(1)

    const before = systemClock.now()
    await responder[Symbol.asyncDispose]()
    expect(systemClock.now() - before).toBeLessThan(1)
    await Promise.all(clients.map(({ ended }) => ended))
    await expect(openRawClient(responder.ports.tcp)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(openRawClient(responder.ports.http)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    for (const client of clients) await client[Symbol.asyncDispose]()
  })

  test('says what it cannot listen on, and leaves nothing open', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    using starvation = new Starvation(systemClock)
    const free = await freePort()
    const starting = startResponder({
      place: { node: 'n1', zone: 'z' },
      version: '1',
      limits: { connections: 1, perAddress: 1, perSource: 1, hold: 1, bytesPerSecond: 1 },
      clock: systemClock,
      starvation,
      listen: { http: { host: '127.0.0.1', port: free }, tcp: { host: '127.0.0.1', port } },
      prefix: '/pathmeter',
      mounts: Object.values(kinds).flatMap(({ mount }) => mount ?? []),
    })
    await expect(starting).rejects.toThrow(`Cannot listen for tcp on 127.0.0.1:${port}: listen EADDRINUSE`)
    await expect(openRawClient(free)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    taken.close()
  })

  test('declares every family that it shows', async () => {
    await using responder = await openResponder()
    await using client = await openRawClient(responder.ports.tcp)
    await exchange(client, requestFrame())
    const shown = [...responder.collect(systemClock.now())].map(({ family }) => family)
    expect(new Set(shown)).toEqual(new Set(responder.families))
    expect(responder.value('responder_connections')).toBe(1)
  })

  test.each([
    { kind: 'tcp', checkOf: (ports: { tcp: number }) => tcpCheck(ports.tcp) },
    { kind: 'http', checkOf: (ports: { http: number }) => httpCheck(ports.http) },
  ])(
    'that was stopped says so in its $kind answer, so that the network is not blamed',
    async ({ checkOf }) => {
      await using responder = await startResponderProcess()
      await using io = await openIo()
      const check = checkOf(responder.ports)
      expect((await attemptOnce(check, io)).noise.far).toBeLessThan(0.25)
      responder.process.kill('SIGSTOP')
      const attempt = attemptOnce(check, io)
      await sleep(1000)
      responder.process.kill('SIGCONT')
      const { failure, noise } = await attempt
      expect(failure).toBeUndefined()
      expect(noise.far).toBeGreaterThan(0.7)
    },
  )
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
