import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../../src/kinds/kind.ts'
import type { Clock } from '../../src/model/clock.ts'
import { systemClock } from '../../src/net/clock.ts'
import { createDialer } from '../../src/net/dial.ts'
import { loadSocketOptions } from '../../src/net/socket-options.ts'
import { Starvation } from '../../src/net/starvation.ts'

/** Name by which the probes of tests introduce themselves. */
export const TEST_NODE = 'tester'

/** How long a closed socket may take to report it. */
const CLOSE_LIMIT_MS = 2000

export interface TestIo extends Io, AsyncDisposable {}

/** Real sockets, noise and clocks. Disposing it fails the test that left a probe socket open. */
export async function openIo(clock: Clock = systemClock): Promise<TestIo> {
  const starvation = new Starvation(systemClock)
  const dialer = createDialer(clock, await loadSocketOptions())
  return {
    clock,
    starvation,
    dialer,
    node: TEST_NODE,
    async [Symbol.asyncDispose]() {
      starvation[Symbol.dispose]()
      for (const end = Date.now() + CLOSE_LIMIT_MS; dialer.open > 0 && Date.now() < end; ) await sleep(1)
      if (dialer.open > 0)
        throw new Error(`Expected every probe socket to be closed, ${dialer.open} are open`)
    },
  }
}

/**
 * Twenty times slower than time: what happens within 400 ms lies within the accept window of 20 ms, however busy
 * the machine is.
 */
export const slowClock: Clock = { now: () => systemClock.now() / 20, wall: systemClock.wall }
