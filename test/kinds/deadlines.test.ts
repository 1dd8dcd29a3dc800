import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { durationOf } from '../../src/model/observation.ts'
import { systemClock } from '../../src/net/clock.ts'
import { startDeadline } from '../../src/net/deadline.ts'
import { attemptOnce, startProbing } from '../support/attempt.ts'
import { blockLoop } from '../support/block-loop.ts'
import { httpCheck, tcpCheck } from '../support/checks.ts'
import { openIo, type TestIo } from '../support/io.ts'
import { startResponderProcess } from '../support/responder-process.ts'
import { silences } from '../support/silences.ts'

/** Seconds. */
const LIMIT = 0.3
/** How late an end may come besides what this process was kept from running; an idle machine needs 2 ms. */
const SLACK = 0.05

describe('a peer that falls silent', () => {
  test.each(silences)(
    'costs a $kind attempt exactly the limit in the phase $phase',
    async ({ phase, start }) => {
      await using silence = await start()
      await using io = await openIo()
      const before = systemClock.now()
      const seen = await attemptOnce(silence.check, io, LIMIT)
      const elapsed = systemClock.now() - before

      expect(seen.failure).toMatchObject({
        reason: `timeout_${phase}`,
        phase,
        detail: 'No result within 300ms',
      })
      // Its own clock starts a moment after the deadline's, and both stop together.
      expect(seen.at + durationOf(seen)).toBeGreaterThanOrEqual(before + LIMIT)
      expect(durationOf(seen)).toBeLessThanOrEqual(elapsed)
      expect(durationOf(seen)).toBeLessThan(LIMIT + SLACK + (seen.noise.own ?? 0))
      expect(seen.phases[phase]).toBeGreaterThan(0)
    },
  )

  test.each(silences)(
    'does not hold a $kind attempt that is cancelled in the phase $phase',
    async ({ start }) => {
      await using silence = await start()
      await using io = await openIo()
      await using probing = startProbing(silence.check, io)
      const stop = new AbortController()
      using deadline = startDeadline({ limit: 10, parent: stop.signal, clock: systemClock })
      const attempt = probing.prober.attempt(deadline.signal)
      await sleep(100)

      const mark = io.starvation.mark()
      stop.abort()
      await attempt
      expect(systemClock.now() - mark.at).toBeLessThan(SLACK + io.starvation.since(mark))
      expect(probing.seen).toEqual([])
      expect(getEventListeners(deadline.signal, 'abort')).toEqual([])
    },
  )
})

describe('an attempt', () => {
  test('leaves no listener on the signals it was given', async () => {
    await using responder = await startResponderProcess()
    await using io = await openIo()
    const stop = new AbortController()
    for (const check of [tcpCheck(responder.ports.tcp), httpCheck(responder.ports.http, {}, 'reused')]) {
      await using probing = startProbing(check, io)
      for (let i = 0; i < 5; i++) {
        using deadline = startDeadline({ limit: 5, parent: stop.signal, clock: systemClock })
        await probing.prober.attempt(deadline.signal)
        expect(getEventListeners(deadline.signal, 'abort')).toEqual([])
      }
      expect(probing.seen.map(({ failure }) => failure)).toEqual(Array(5).fill(undefined))
    }
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  test.each(silences)(
    'emits nothing when a $kind attempt is cancelled before it begins ($phase)',
    async ({ start }) => {
      await using silence = await start()
      await using io = await openIo()
      await using probing = startProbing(silence.check, io)
      const stop = new AbortController()
      stop.abort()
      using deadline = startDeadline({ limit: 10, parent: stop.signal, clock: systemClock })
      await probing.prober.attempt(deadline.signal)
      expect(probing.seen).toEqual([])
      expect(io.dialer.open).toBe(0)
    },
  )

  test.each([
    { kind: 'tcp', checkOf: (ports: { tcp: number }) => tcpCheck(ports.tcp) },
    { kind: 'http', checkOf: (ports: { http: number }) => httpCheck(ports.http) },
  ])(
    'of $kind succeeds when this process slept over the deadline and the answer is there',
    async ({ checkOf }) => {
      await using responder = await startResponderProcess()
      await using io = await openIo()
      const seen = await attemptOnce(checkOf(responder.ports), blockingAfterDial(io, 500), 0.2)
      expect(seen.failure).toBeUndefined()
      expect(durationOf(seen)).toBeGreaterThan(0.45)
      // Such a duration says nothing of the path, and the observation says so.
      expect(seen.noise.own).toBeGreaterThan(0.3)
    },
  )
})

/** Blocks the loop when the request has gone out, for longer than the deadline. */
function blockingAfterDial(io: TestIo, ms: number): TestIo {
  const dial: typeof io.dialer.dial = async (...args) => {
    const connection = await io.dialer.dial(...args)
    setImmediate(() => blockLoop(ms))
    return connection
  }
  return { ...io, dialer: { dial, open: 0 } }
}
