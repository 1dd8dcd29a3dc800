import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock as clock } from '../../src/net/clock.ts'
import { Cancelled, DeadlineExceeded, startDeadline } from '../../src/net/deadline.ts'
import { blockLoop } from '../support/block-loop.ts'

describe('startDeadline', () => {
  test.each([0.001, 0.01, 0.05, 0.1])('aborts after %d s and never before', async (limit) => {
    for (let i = 0; i < 5; i++) {
      const before = clock.now()
      using deadline = startDeadline({ limit, clock })
      await aborted(deadline.signal)
      expect(clock.now() - before).toBeGreaterThanOrEqual(limit)
      expect(deadline.signal.reason).toBeInstanceOf(DeadlineExceeded)
    }
  })

  test('gives back, once, the time by which its own timer was kept from running', async () => {
    const before = clock.now()
    using deadline = startDeadline({ limit: 0.2, clock })
    blockLoop(300)
    await aborted(deadline.signal)
    // Late by 0.1 s: due at 0.3 s, and then 0.1 s more.
    expect(clock.now() - before).toBeGreaterThanOrEqual(0.4)
  })

  test('gives back no more than its limit, and aborts in the end however often the process is stopped', async () => {
    const before = clock.now()
    using deadline = startDeadline({ limit: 0.1, clock })
    blockLoop(500)
    const stopped = setTimeout(() => blockLoop(500), 50)
    await aborted(deadline.signal)
    clearTimeout(stopped)
    expect(clock.now() - before).toBeGreaterThanOrEqual(0.6)
    expect(deadline.signal.reason).toBeInstanceOf(DeadlineExceeded)
  })

  test('does not abort once it is disposed, and lets its parent go', async () => {
    const parent = new AbortController()
    const deadline = startDeadline({ limit: 0.01, parent: parent.signal, clock })
    deadline[Symbol.dispose]()
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
    parent.abort()
    await sleep(30)
    expect(deadline.signal.aborted).toBe(false)
  })

  test('aborts as cancelled with its parent, now or before', () => {
    const parent = new AbortController()
    using before = startDeadline({ limit: 10, parent: parent.signal, clock })
    parent.abort()
    expect(before.signal.reason).toBeInstanceOf(Cancelled)
    using after = startDeadline({ limit: 10, parent: parent.signal, clock })
    expect(after.signal.reason).toBeInstanceOf(Cancelled)
  })

  test('leaves nothing on a parent that outlives thousands of it', () => {
    const parent = new AbortController()
    for (let i = 0; i < 5000; i++)
      startDeadline({ limit: 10, parent: parent.signal, clock })[Symbol.dispose]()
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  })
})

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
