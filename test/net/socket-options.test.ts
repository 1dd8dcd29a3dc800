import { beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/net/clock.ts'
import { createDialer } from '../../src/net/dial.ts'
import { PhaseTimer } from '../../src/net/phase-timer.ts'
import { loadSocketOptions } from '../../src/net/socket-options.ts'
import { isSilent, startPeer } from '../support/peers.ts'

vi.mock('koffi', () => ({
  default: {
    load() {
      throw new Error('cannot open shared object file\nand more of it')
    },
  },
}))

beforeEach(() => {
  vi.resetModules()
})

test('without the native library the user clock is left, with the reason in one line', async () => {
  const options = await loadSocketOptions()
  expect(options).toEqual({ clock: 'user', why: 'Cannot call getsockopt: cannot open shared object file' })

  await using peer = await startPeer(isSilent)
  const dialer = createDialer(systemClock, options)
  const target = { address: '127.0.0.1', port: peer.port, family: 4 } as const
  const timer = new PhaseTimer(systemClock, 'other')
  using connection = await dialer.dial(target, timer, new AbortController().signal)
  expect(connection.kernel).toBeUndefined()
  expect(timer.stop().connect).toBeGreaterThan(0)
})
