import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ACCEPT_WINDOW } from '../../../src/model/classify.ts'
import { durationOf } from '../../../src/model/observation.ts'
import { encodeFrame } from '../../../src/wire/echo-frame.ts'
import { nodeHash } from '../../../src/wire/node-hash.ts'
import { attemptOnce, startProbing } from '../../support/attempt.ts'
import { tcpCheck } from '../../support/checks.ts'
import { openIo, TEST_NODE } from '../../support/io.ts'
import { startFullListener } from '../../support/native-sockets.ts'
import { answersFrames, isSilent, onFrames, startPeer, writeInBytes } from '../../support/peers.ts'
import { openResponder } from '../../support/responder.ts'

describe('tcp probe', () => {
  test('measures a responder: phases that add up, who answered, the round trip of the kernel', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    const before = io.clock.now()
    const seen = await attemptOnce(tcpCheck(responder.ports.tcp), io)
    const elapsed = io.clock.now() - before

    expect(seen.failure).toBeUndefined()
    expect(Object.keys(seen.phases).sort()).toEqual(['connect', 'first_byte', 'other', 'transfer'])
    expect(durationOf(seen)).toBeLessThanOrEqual(elapsed)
    expect(seen.facts.farEnd).toMatchObject({
      node: 'peer-1',
      zone: 'zone-b',
      version: '1.2.3',
      draining: false,
    })
    const { rtt, synRetransmits, mss } = seen.facts.kernel ?? {}
    expect(synRetransmits).toBe(0)
    expect(rtt).toBeGreaterThan(0)
    expect(rtt).toBeLessThan(0.05)
    expect(mss).toBeGreaterThan(500)
    expect(responder.probedBy()).toEqual([nodeHash(TEST_NODE)])
  })

  test('comes from a new port each time, and resets, so that nothing is left on either side', async () => {
    const ports: (number | undefined)[] = []
    const ends: string[] = []
    await using peer = await startPeer((socket, nth) => {
      ports.push(socket.remotePort)
      socket.once('end', () => ends.push('fin')).once('error', () => ends.push('rst'))
      answersFrames((reply) => reply)(socket, nth)
    })
    await using io = await openIo()
    await using probing = startProbing(tcpCheck(peer.port), io)
    for (let i = 0; i < 3; i++) expect((await probing.attempt()).failure).toBeUndefined()
    while (ends.length < 3) await sleep(1)
    expect(new Set(ports).size).toBe(3)
    expect(ends).toEqual(['rst', 'rst', 'rst'])
  })

  test('reads a reply that comes a byte at a time', async () => {
    await using peer = await startPeer((socket) => {
      onFrames(socket, (reply) => writeInBytes(socket, encodeFrame(reply)))
    })
    await using io = await openIo()
    const { failure, facts, phases } = await attemptOnce(tcpCheck(peer.port), io)
    expect(failure).toBeUndefined()
    expect(facts.farEnd?.node).toBe('peer-1')
    expect(phases.transfer).toBeGreaterThan(0)
  })

  test('learns that the other end is draining, and that alone is no failure', async () => {
    await using responder = await openResponder()
    await using io = await openIo()
    responder.drain()
    const { failure, facts } = await attemptOnce(tcpCheck(responder.ports.tcp), io)
    expect(failure).toBeUndefined()
    expect(facts.farEnd?.draining).toBe(true)
  })

  test('has no far noise from its own responder, whose loop it shares', async () => {
    await using responder = await openResponder({ node: TEST_NODE })
    await using io = await openIo()
    const check = tcpCheck(responder.ports.tcp, { echo: true }, { expectNode: TEST_NODE })
    const { failure, noise, facts } = await attemptOnce(check, io)
    expect(failure).toBeUndefined()
    expect(facts.farEnd?.node).toBe(TEST_NODE)
    expect(noise.far).toBeUndefined()
  })

  test('does not count the time in which a foreign target is watched for an early end', async () => {
    await using peer = await startPeer(isSilent)
    await using io = await openIo()
    const before = io.clock.now()
    const seen = await attemptOnce(tcpCheck(peer.port, { echo: false }), io)
    const elapsed = io.clock.now() - before
    expect(seen.failure).toBeUndefined()
    // Timers fire up to 1.7 ms early.
    expect(elapsed - durationOf(seen)).toBeGreaterThan(ACCEPT_WINDOW - 0.002)
  })

  test('sends nothing to a foreign target, and closes in order', async () => {
    let received = 0
    const ended = Promise.withResolvers<string>()
    await using peer = await startPeer((socket) => {
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      socket.once('end', () => ended.resolve('fin')).once('error', () => ended.resolve('rst'))
    })
    await using io = await openIo()
    const { failure, facts } = await attemptOnce(tcpCheck(peer.port, { echo: false }), io)
    expect(failure).toBeUndefined()
    expect(facts.farEnd).toBeUndefined()
    expect(facts.kernel?.rtt).toBeGreaterThan(0)
    expect(await ended.promise).toBe('fin')
    expect(received).toBe(0)
  })

  test('does not take a greeting of a foreign target for a failure, and still closes in order', async () => {
    const ended = Promise.withResolvers<string>()
    await using peer = await startPeer((socket, nth) => {
      socket.once('end', () => ended.resolve('fin')).once('error', () => ended.resolve('rst'))
      socket.write('220 mail.test ESMTP\r\n')
      isSilent(socket, nth)
    })
    await using io = await openIo()
    expect((await attemptOnce(tcpCheck(peer.port, { echo: false }), io)).failure).toBeUndefined()
    expect(await ended.promise).toBe('fin')
  })

  test('counts a lost SYN and takes no round trip from that connect', async () => {
    await using listener = await startFullListener()
    await using io = await openIo()
    await using probing = startProbing(tcpCheck(listener.port, { echo: false }), io)
    const attempt = probing.attempt()
    // The first SYN is lost; there is room for the second, 1 s later.
    await sleep(300)
    listener.accept()
    const { failure, facts, phases } = await attempt
    expect(failure).toBeUndefined()
    expect(facts.kernel).toMatchObject({ synRetransmits: 1 })
    expect(facts.kernel).not.toHaveProperty('rtt')
    expect(phases.connect).toBeGreaterThan(0.9)
    expect(phases.connect).toBeLessThan(1.9)
  })
})
