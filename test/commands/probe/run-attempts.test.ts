import { describe, expect, test } from 'vitest'
import { runAttempts } from '../../../src/commands/probe/run-attempts.ts'
import { httpCheck, tcpCheck } from '../../support/checks.ts'
import { openIo } from '../../support/io.ts'
import { isSilent, startPeer } from '../../support/peers.ts'
import { openResponder } from '../../support/responder.ts'
import { waitUntil } from '../../support/wait-until.ts'

describe('attempts of a one-off probe', () => {
  test('come one by one, each as long after the one before as asked', async () => {
    await using io = await openIo()
    await using responder = await openResponder()
    const check = { ...tcpCheck(responder.ports.tcp), every: 0.1 }
    const starts: number[] = []
    for await (const { at, seen } of runAttempts(check, 3, io, new AbortController().signal)) {
      expect(seen.failure).toBeUndefined()
      starts.push(at)
    }
    expect(starts).toHaveLength(3)
    const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThan(0.095)
  })

  test('share one connection where it is kept', async () => {
    await using io = await openIo()
    await using responder = await openResponder()
    const check = { ...httpCheck(responder.ports.http, {}, 'reused'), every: 0 }
    const connected: boolean[] = []
    for await (const { seen } of runAttempts(check, 3, io, new AbortController().signal)) {
      connected.push(seen.phases.connect !== undefined)
    }
    expect(connected).toEqual([true, false, false])
  })

  test('end when the person has seen enough, and what was under way is no attempt', async () => {
    await using io = await openIo()
    await using peer = await startPeer(isSilent)
    const stop = new AbortController()
    const attempts = runAttempts({ ...tcpCheck(peer.port), limit: 60 }, 3, io, stop.signal)
    const next = attempts.next()
    await waitUntil(() => peer.accepted === 1, {
      withinMs: 10_000,
      everyMs: 1,
      what: 'the attempt is under way',
    })
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test('end while waiting for the next one', async () => {
    await using io = await openIo()
    await using responder = await openResponder()
    const stop = new AbortController()
    const attempts = runAttempts({ ...tcpCheck(responder.ports.tcp), every: 3600 }, 3, io, stop.signal)
    expect((await attempts.next()).done).toBe(false)
    const next = attempts.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})
