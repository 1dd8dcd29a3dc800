import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/net/clock.ts'
import { Starvation } from '../../src/net/starvation.ts'
import { blockLoop } from '../support/block-loop.ts'
import { type Suffered, startStarvationProcess } from '../support/starvation-process.ts'

describe('starvation', () => {
  test('sees how long the loop was blocked, while it is and afterwards', async () => {
    using starvation = new Starvation(systemClock)
    await sleep(60)
    const mark = starvation.mark()
    blockLoop(150)
    expect(starvation.since(mark)).toBeGreaterThan(0.14)
    await sleep(60)
    expect(starvation.since(mark)).toBeGreaterThan(0.14)
    expect(starvation.since(mark)).toBeLessThanOrEqual(systemClock.now() - mark.at)
  })

  test('tells whoever is served that the loop was busy before', async () => {
    using starvation = new Starvation(systemClock)
    await sleep(60)
    const { loopLag, runQueueWait } = await servedAfter(() => blockLoop(100), starvation)
    expect(loopLag).toBeGreaterThan(0.095)
    expect(runQueueWait).toBeGreaterThanOrEqual(0)
  })

  test('does not call the service itself lag', async () => {
    using starvation = new Starvation(systemClock)
    const lags: number[] = []
    // The least of several: a busy machine adds lag of its own.
    for (let i = 0; i < 8; i++) {
      await sleep(60)
      const receivedAt = systemClock.now()
      blockLoop(30)
      lags.push(starvation.current(receivedAt).loopLag)
    }
    expect(Math.min(...lags)).toBeLessThan(0.025)
  })

  test('forgets what was before the loop last slept', async () => {
    using starvation = new Starvation(systemClock)
    await servedAfter(() => blockLoop(100), starvation)
    let lag: number
    do {
      await sleep(60)
      lag = starvation.current(systemClock.now()).loopLag
    } while (lag > 0.05)
  })

  test('counts no noise from before the mark', async () => {
    using starvation = new Starvation(systemClock)
    blockLoop(150)
    await sleep(60)
    const mark = starvation.mark()
    expect(starvation.since(mark)).toBeLessThan(0.01)
  })

  test('sees a process that was stopped', async () => {
    const child = await startStarvationProcess()
    const exited = once(child, 'exit')
    child.kill('SIGSTOP')
    await sleep(1000)
    const told = once(child, 'message')
    child.kill('SIGCONT')
    const [suffered] = await told
    const { noise, lag, elapsed }: Suffered = suffered
    // Up to one tick, 250 ms, passes before a tick is overdue.
    expect(lag).toBeGreaterThan(0.7)
    expect(noise).toBeGreaterThan(0.7)
    expect(lag).toBeLessThanOrEqual(elapsed)
    await exited
  })

  test('sees waits for a CPU where the kernel counts them, and frees its file', async () => {
    const starvation = new Starvation(systemClock)
    expect(starvation.seesRunQueue).toBe(true)
    expect(starvation.runQueueWait()).toBeGreaterThanOrEqual(0)
    starvation[Symbol.dispose]()
    expect(starvation.seesRunQueue).toBe(false)
    expect(starvation.runQueueWait()).toBe(0)
  })
})

/** What an exchange hears that was received right after `busy`. */
function servedAfter(busy: () => void, starvation: Starvation) {
  return new Promise<ReturnType<Starvation['current']>>((resolve) => {
    setTimeout(() => {
      busy()
      resolve(starvation.current(systemClock.now()))
    }, 5)
  })
}
