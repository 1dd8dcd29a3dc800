import { beforeAll, describe, expect, test } from 'vitest'
import type { HttpCheckOptions } from '../../../src/kinds/http/options.ts'
import type { Phase, Reason } from '../../../src/model/reason.ts'
import { attemptOnce } from '../../support/attempt.ts'
import { type Certificate, createCertificate, trust } from '../../support/certificate.ts'
import { httpCheck } from '../../support/checks.ts'
import { answerText, rightAnswer } from '../../support/http-text.ts'
import { openIo, slowClock } from '../../support/io.ts'
import {
  answers,
  answersAndThen,
  ends,
  greets,
  isSilent,
  type Script,
  startPeer,
  TLS_ALERT,
} from '../../support/peers.ts'

interface Row {
  readonly peer: string
  readonly script: Script
  readonly reason: Reason
  readonly phase: Phase
  readonly options?: Partial<HttpCheckOptions>
  readonly detail?: string
}

const MEBIBYTE = 1024 * 1024
const SHORT_LENGTH = answerText({ 'content-length': 512 }, 'short')
const OPEN_CHUNKED = answerText({ 'transfer-encoding': 'chunked' }, '5\r\nshort\r\n')
const CUT_CHUNK = answerText({ 'transfer-encoding': 'chunked' }, '200\r\nshort')
const UNDELIMITED = answerText({ connection: 'close' }, 'short')
const WHOLE_UNDELIMITED = answerText({ connection: 'close' }, 'x'.repeat(512))

const rows: readonly Row[] = [
  {
    peer: 'resets on the request',
    script: answers('', 'rst'),
    reason: 'reset_before_response',
    phase: 'first_byte',
  },
  { peer: 'closes on the request', script: answers('', 'fin'), reason: 'closed_early', phase: 'first_byte' },

  {
    peer: 'resets within the head',
    script: answersAndThen('HTTP/1.1 200 OK\r\nx:', 'rst'),
    reason: 'reset',
    phase: 'first_byte',
  },
  {
    peer: 'closes within the head',
    script: answersAndThen('HTTP/1.1 200 OK\r\nx:', 'fin'),
    reason: 'truncated',
    phase: 'first_byte',
  },
  {
    peer: 'resets within a body of declared length',
    script: answersAndThen(SHORT_LENGTH, 'rst'),
    reason: 'reset',
    phase: 'transfer',
  },
  {
    peer: 'closes within a body of declared length',
    script: answersAndThen(SHORT_LENGTH, 'fin'),
    reason: 'truncated',
    phase: 'transfer',
  },
  {
    peer: 'resets between two chunks',
    script: answersAndThen(OPEN_CHUNKED, 'rst'),
    reason: 'reset',
    phase: 'transfer',
  },
  {
    peer: 'closes between two chunks',
    script: answersAndThen(OPEN_CHUNKED, 'fin'),
    reason: 'truncated',
    phase: 'transfer',
  },
  {
    peer: 'closes within a chunk',
    script: answersAndThen(CUT_CHUNK, 'fin'),
    reason: 'truncated',
    phase: 'transfer',
  },
  {
    peer: 'resets within a body that the end delimits',
    script: answersAndThen(UNDELIMITED, 'rst'),
    reason: 'reset',
    phase: 'transfer',
  },
  {
    peer: 'ends a body that the end delimits too early',
    script: answersAndThen(UNDELIMITED, 'fin'),
    reason: 'truncated',
    phase: 'other',
  },
  {
    peer: 'resets after all of a body that the end delimits',
    script: answersAndThen(WHOLE_UNDELIMITED, 'rst'),
    reason: 'reset',
    phase: 'transfer',
  },

  {
    peer: 'announces a body above 1 MiB',
    script: answers(answerText({ 'content-length': 2 * MEBIBYTE }, 'x'.repeat(2 * MEBIBYTE))),
    reason: 'bad_reply',
    phase: 'transfer',
    detail: 'Body is larger than 1048576 bytes',
  },
  {
    peer: 'never ends its body',
    script: floods(answerText({ connection: 'close' }, ''), 'x'.repeat(65_536)),
    reason: 'bad_reply',
    phase: 'transfer',
  },
  {
    peer: 'never ends its head',
    script: floods('HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n'.repeat(100)),
    reason: 'bad_reply',
    phase: 'first_byte',
  },

  {
    peer: 'is of another protocol',
    script: greets('SSH-2.0-OpenSSH_9.6\r\n'),
    reason: 'protocol_mismatch',
    phase: 'first_byte',
  },
  {
    peer: 'answers with a TLS alert',
    script: answers(TLS_ALERT, 'fin'),
    reason: 'protocol_mismatch',
    phase: 'first_byte',
  },
  {
    peer: 'is an HTTP server but no responder',
    script: answers('HTTP/1.1 200 OK\r\ncontent-length: 512\r\n\r\n'.padEnd(600, 'x')),
    reason: 'protocol_mismatch',
    phase: 'other',
  },
  {
    peer: 'is an HTTP server with a short page but no responder',
    script: answers('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    reason: 'protocol_mismatch',
    phase: 'other',
  },
  {
    peer: 'speaks a newer version',
    script: answers(rightAnswer({ 'pathmeter-protocol': 2 })),
    reason: 'protocol_version',
    phase: 'other',
  },
  {
    peer: 'is another node',
    script: answers(rightAnswer({ 'pathmeter-node': 'peer-2' })),
    reason: 'wrong_peer',
    phase: 'other',
    detail: 'Expected node "peer-1" to answer, got "peer-2"',
  },
  { peer: 'answers 403', script: answersStatus('403 Forbidden'), reason: 'forbidden', phase: 'other' },
  {
    peer: 'answers 503',
    script: answersStatus('503 Service Unavailable'),
    reason: 'http_status',
    phase: 'other',
    detail: 'Answered with status 503',
  },
  {
    peer: 'that is foreign answers 404',
    script: answersStatus('404 Not Found'),
    options: { path: '/' },
    reason: 'http_status',
    phase: 'other',
  },
  {
    peer: 'switches protocols',
    script: answers('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    reason: 'http_status',
    phase: 'first_byte',
  },

  {
    peer: 'of a TLS probe answers in plaintext',
    script: answers('HTTP/1.1 400 Bad Request\r\n\r\n'),
    options: { tls: true },
    reason: 'tls_protocol',
    phase: 'tls',
  },
  {
    peer: 'of a TLS probe speaks first, in plaintext',
    script: greets('220 ready\r\n'),
    options: { tls: true },
    reason: 'tls_protocol',
    phase: 'tls',
  },
  {
    peer: 'resets within the TLS handshake',
    script: answers('', 'rst'),
    options: { tls: true },
    reason: 'reset_after_accept',
    phase: 'tls',
  },
  {
    peer: 'closes within the TLS handshake',
    script: answers('', 'fin'),
    options: { tls: true },
    reason: 'closed_early',
    phase: 'tls',
  },
]

describe('http probe', () => {
  test.each(rows)(
    'reports $reason when the peer $peer',
    async ({ script, options, reason, phase, detail }) => {
      await using peer = await startPeer(script)
      await using io = await openIo(slowClock)
      const { failure, phases } = await attemptOnce(httpCheck(peer.port, options), io)
      expect(failure).toMatchObject({ reason, phase })
      expect(failure?.detail).not.toBe('')
      if (detail !== undefined) expect(failure?.detail).toBe(detail)
      expect(Object.values(phases).every((seconds) => seconds >= 0)).toBe(true)
    },
  )

  test('reports reset_after_accept or reset_before_response when the peer accepts and resets', async () => {
    await using peer = await startPeer(ends('rst'))
    await using io = await openIo(slowClock)
    const { failure } = await attemptOnce(httpCheck(peer.port), io)
    // Which of the two depends on whether the reset came before the request was sent.
    expect(failure?.reason).toBe(
      failure?.phase === 'connect' ? 'reset_after_accept' : 'reset_before_response',
    )
  })

  test('reports refused when nobody listens, and unreachable when no route leads there', async () => {
    await using io = await openIo()
    let port: number
    {
      await using peer = await startPeer(isSilent)
      port = peer.port
    }
    expect((await attemptOnce(httpCheck(port), io)).failure).toMatchObject({
      reason: 'refused',
      phase: 'connect',
    })
    const broadcast = httpCheck(port, {}, 'new', { address: '127.255.255.255' })
    expect((await attemptOnce(broadcast, io)).failure).toMatchObject({
      reason: 'unreachable',
      phase: 'connect',
    })
  })

  test('reports closed_early when it speaks plaintext to a TLS port that says nothing to that', async () => {
    await using peer = await startPeer(isSilent, { tls: createCertificate('IP:127.0.0.1') })
    await using io = await openIo()
    const { failure } = await attemptOnce(httpCheck(peer.port), io)
    expect(failure).toMatchObject({ reason: 'closed_early', phase: 'first_byte' })
  })

  test('keeps what it learnt before the failure', async () => {
    await using peer = await startPeer(answersStatus('503 Service Unavailable'))
    await using io = await openIo()
    const { facts } = await attemptOnce(httpCheck(peer.port), io)
    expect(facts).toMatchObject({ status: 503, bytes: 512, farEnd: { node: 'peer-1', zone: 'zone-b' } })
    expect(facts.kernel?.synRetransmits).toBe(0)
  })
})

describe('http probe over TLS', () => {
  let certificate: Certificate
  let stranger: Certificate

  beforeAll(() => {
    certificate = createCertificate('IP:127.0.0.1,DNS:responder.test')
    stranger = createCertificate('IP:127.0.0.1')
    trust(certificate)
  })

  test.each([
    { host: 'its address, without one', options: {} },
    { host: 'a name of the certificate', options: { host: 'responder.test' } },
    { host: 'such a name with a port', options: { host: 'responder.test:8443' } },
    { host: 'its address with a port', options: { host: '127.0.0.1:8443' } },
  ])('succeeds with $host as host, and times the handshake', async ({ options }) => {
    await using peer = await startPeer(answers(rightAnswer()), { tls: certificate })
    await using io = await openIo()
    const { failure, phases } = await attemptOnce(httpCheck(peer.port, { tls: true, ...options }), io)
    expect(failure).toBeUndefined()
    expect(phases.tls).toBeGreaterThan(0)
  })

  test('verifies an IPv6 address', async () => {
    await using peer = await startPeer(answers(rightAnswer()), { tls: certificate, host: '::1' })
    await using io = await openIo()
    const check = httpCheck(peer.port, { tls: true }, 'new', { address: '::1', family: 6 })
    const { failure } = await attemptOnce(check, io)
    expect(failure).toMatchObject({ reason: 'tls_verify', phase: 'tls' })
    expect(failure?.detail).toContain('::1 is not in the cert')
  })

  test('reports tls_verify for a name that the certificate does not have', async () => {
    await using peer = await startPeer(answers(rightAnswer()), { tls: certificate })
    await using io = await openIo()
    const { failure } = await attemptOnce(httpCheck(peer.port, { tls: true, host: 'other.test' }), io)
    expect(failure).toMatchObject({ reason: 'tls_verify', phase: 'tls' })
  })

  test('reports tls_verify for a certificate that nobody vouches for', async () => {
    await using peer = await startPeer(answers(rightAnswer()), { tls: stranger })
    await using io = await openIo()
    const { failure } = await attemptOnce(httpCheck(peer.port, { tls: true }), io)
    expect(failure).toMatchObject({ reason: 'tls_verify', phase: 'tls' })
    expect(failure?.detail).toContain('self-signed certificate')
  })

  test.each([
    { how: 'resets', script: answers('', 'rst'), reason: 'reset_before_response' },
    // The peer's farewell of TLS is no part of an answer.
    { how: 'closes', script: answers('', 'fin'), reason: 'closed_early' },
  ])('reports $reason when the peer $how on the request', async ({ script, reason }) => {
    await using peer = await startPeer(script, { tls: certificate })
    await using io = await openIo()
    const { failure } = await attemptOnce(httpCheck(peer.port, { tls: true }), io)
    expect(failure).toMatchObject({ reason, phase: 'first_byte' })
  })
})

function answersStatus(status: string): Script {
  return answers(answerText({ 'content-length': 512 }, 'x'.repeat(512), status))
}

/** Answers with `head`, and then with `more` for as long as it is taken. */
function floods(head: string, more: string): Script {
  return (socket) => {
    const pour = () => {
      while (socket.writable && socket.write(more));
    }
    socket.once('data', () => {
      socket.write(head)
      socket.on('drain', pour)
      pour()
    })
  }
}
