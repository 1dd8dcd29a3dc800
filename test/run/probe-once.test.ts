import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import { probeOnce } from '../../src/run/probe-once.ts'
import { httpCheck, tcpCheck } from '../support/checks.ts'
import { openIo } from '../support/io.ts'
import { isSilent, startPeer } from '../support/peers.ts'
import { openResponder } from '../support/responder.ts'

const never = new AbortController().signal

test('a fresh probe is one attempt outside the schedule, and leaves nothing open', async () => {
  await using io = await openIo()
  await using responder = await openResponder()
  const seen = await probeOnce(kinds.tcp, tcpCheck(responder.ports.tcp), io, never)
  expect(seen).toMatchObject({ is: 'attempt', extra: true, facts: { farEnd: { node: 'peer-1' } } })
  expect(seen?.failure).toBeUndefined()
  expect(responder.value('responder_requests_total', 'tcp')).toBe(1)
})

test('a fresh probe of a kept connection shows the second exchange on it', async () => {
  await using io = await openIo()
  await using responder = await openResponder()
  const seen = await probeOnce(kinds.http, httpCheck(responder.ports.http, {}, 'reused'), io, never)
  expect(seen).toMatchObject({ extra: true, facts: { reused: true, reconnected: false } })
  expect(responder.value('responder_requests_total', 'http')).toBe(2)
})

test('a fresh probe of a kept connection ends with the first exchange when that fails', async () => {
  await using io = await openIo()
  await using silent = await startPeer(isSilent)
  const check = { ...httpCheck(silent.port, {}, 'reused'), limit: 0.1 }
  const seen = await probeOnce(kinds.http, check, io, never)
  expect(seen?.failure?.reason).toBe('timeout_first_byte')
  expect(silent.accepted).toBe(1)
})

test('a fresh probe that is aborted has seen nothing', async () => {
  await using io = await openIo()
  const asker = new AbortController()
  await using silent = await startPeer((socket, nth) => {
    isSilent(socket, nth)
    asker.abort()
  })
  expect(await probeOnce(kinds.tcp, tcpCheck(silent.port), io, asker.signal)).toBeUndefined()
})
