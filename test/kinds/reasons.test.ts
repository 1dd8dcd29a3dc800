import { describe, expect, test } from 'vitest'
import { Lifecycle } from '../../src/discovery/lifecycle.ts'
import { classify, type Evidence } from '../../src/model/classify.ts'
import type { Attempt } from '../../src/model/observation.ts'
import { REASONS, type Reason } from '../../src/model/reason.ts'
import { attemptOnce } from '../support/attempt.ts'
import { httpCheck, tcpCheck } from '../support/checks.ts'
import { rightAnswer } from '../support/http-text.ts'
import { openIo } from '../support/io.ts'
import { answers, type Script, startPeer } from '../support/peers.ts'

/** How a reason comes about: from evidence on the wire, from what an http peer answers, or from a leaving peer. */
type Origin = Partial<Evidence> | Script | 'lifecycle'

const fresh = { sent: 56, reused: false }

const origins: Readonly<Record<Reason, Origin>> = {
  timeout_connect: { phase: 'connect', deadline: true },
  timeout_tls: { phase: 'tls', deadline: true },
  timeout_request: { phase: 'request', deadline: true },
  timeout_first_byte: { phase: 'first_byte', deadline: true },
  timeout_transfer: { phase: 'transfer', deadline: true },
  refused: { phase: 'connect', code: 'ECONNREFUSED' },
  unreachable: { phase: 'connect', code: 'EHOSTUNREACH' },
  reset: { ending: { ...fresh, how: 'rst', received: 10 } },
  reset_before_response: { protocol: 'http', ending: { ...fresh, how: 'rst', received: 0 } },
  reset_after_accept: { ending: { ...fresh, how: 'rst', received: 0 }, sinceConnect: 0.001 },
  closed_after_accept: { ending: { ...fresh, how: 'fin', received: 0 }, sinceConnect: 0.001 },
  closed_early: { ending: { ...fresh, how: 'fin', received: 0 }, sinceConnect: 1 },
  truncated: { ending: { ...fresh, how: 'fin', received: 10 } },
  reuse_reset: { ending: { sent: 56, reused: true, how: 'fin', received: 0 } },
  tls_verify: { phase: 'tls', code: 'CERT_HAS_EXPIRED' },
  tls_protocol: { phase: 'tls', code: 'EPROTO' },
  http_status: answers('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n', 'fin'),
  forbidden: answers('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n', 'fin'),
  protocol_mismatch: answers('220 ready\r\n'),
  protocol_version: answers(rightAnswer({ 'pathmeter-protocol': 2 })),
  wrong_peer: answers(rightAnswer({ 'pathmeter-node': 'peer-2' })),
  bad_reply: answers(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
  draining: 'lifecycle',
  local_resource: { phase: 'connect', code: 'EMFILE' },
  denied_locally: { phase: 'connect', code: 'EPERM' },
  internal: { code: 'ERR_INVALID_ARG_TYPE' },
}

describe('reasons', () => {
  test('are all in the table', () => {
    expect(Object.keys(origins).sort()).toEqual([...REASONS].sort())
  })

  test.each(Object.entries(origins))('%s is one that can come about', async (reason, origin) => {
    expect(await reasonOf(origin)).toBe(reason)
  })
})

async function reasonOf(origin: Origin): Promise<Reason | undefined> {
  if (origin === 'lifecycle') return reasonOfLeaving()
  if (typeof origin !== 'function') return classify({ phase: 'first_byte', protocol: 'tcp', ...origin })
  await using peer = await startPeer(origin)
  await using io = await openIo()
  return (await attemptOnce(httpCheck(peer.port, { responder: { bytes: 0 } }), io)).failure?.reason
}

function reasonOfLeaving(): Reason | undefined {
  const recorded: Attempt[] = []
  const nothing = () => undefined
  const lifecycle = new Lifecycle({ now: () => 0, wall: () => 0 })
  const sink = lifecycle.before({
    record: (_check, observation) => recorded.push(observation),
    skipped: nothing,
    begin: nothing,
    forget: nothing,
  })
  const farEnd = { node: 'peer-1', draining: true, residence: 0, runQueueWait: 0, loopLag: 0 }
  const seen = { is: 'attempt', at: 0, noise: {}, phases: {} } as const
  sink.record(tcpCheck(1), { ...seen, facts: { farEnd } })
  sink.record(tcpCheck(1), {
    ...seen,
    facts: {},
    failure: { reason: 'refused', phase: 'connect', detail: 'x' },
  })
  return recorded.at(-1)?.failure?.reason
}
