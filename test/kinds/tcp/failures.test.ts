import { beforeAll, describe, expect, test } from 'vitest'
import type { Phase, Reason } from '../../../src/model/reason.ts'
import { type EchoFrame, encodeFrame } from '../../../src/wire/echo-frame.ts'
import { nodeHash } from '../../../src/wire/node-hash.ts'
import { attemptOnce } from '../../support/attempt.ts'
import { type Certificate, createCertificate } from '../../support/certificate.ts'
import { tcpCheck } from '../../support/checks.ts'
import { openIo, slowClock } from '../../support/io.ts'
import {
  answersFrames,
  ends,
  finish,
  greets,
  isSilent,
  type Script,
  startPeer,
  type Then,
  TLS_ALERT,
} from '../../support/peers.ts'

interface Row {
  readonly peer: string
  readonly script: Script
  readonly reason: Reason
  /** Absent where it depends on who is faster. */
  readonly phase?: Phase
  /** No payload, as towards what is not ours. */
  readonly foreign?: true
  readonly detail?: string
}

const rows: readonly Row[] = [
  { peer: 'accepts and resets', script: ends('rst'), reason: 'reset_after_accept' },
  { peer: 'accepts and closes', script: ends('fin'), reason: 'closed_after_accept', phase: 'first_byte' },
  {
    peer: 'resets in the middle of its reply',
    script: answersPart('rst'),
    reason: 'reset',
    phase: 'transfer',
  },
  {
    peer: 'closes in the middle of its reply',
    script: answersPart('fin'),
    reason: 'truncated',
    phase: 'transfer',
  },
  {
    peer: 'is of another protocol',
    script: greets('SSH-2.0-OpenSSH_9.6\r\n'),
    reason: 'protocol_mismatch',
    phase: 'transfer',
  },
  {
    peer: 'sends three bytes of another protocol',
    script: greets('220'),
    reason: 'protocol_mismatch',
    phase: 'transfer',
  },
  {
    peer: 'sends another protocol and closes',
    script: greets('220 ', 'fin'),
    reason: 'protocol_mismatch',
    phase: 'transfer',
  },
  {
    peer: 'answers with a TLS alert',
    script: greets(TLS_ALERT),
    reason: 'protocol_mismatch',
    phase: 'transfer',
  },
  {
    peer: 'speaks a newer version',
    script: answersBytes({ 4: 2 }),
    reason: 'protocol_version',
    phase: 'transfer',
  },
  {
    peer: 'replies with an unknown verb',
    script: answersBytes({ 5: 77 }),
    reason: 'bad_reply',
    phase: 'transfer',
  },
  {
    peer: 'announces too much payload',
    script: answersBytes({ 28: 1 }),
    reason: 'bad_reply',
    phase: 'transfer',
  },
  {
    peer: 'sends a broken identity',
    script: answersBytes({ 57: 1 }),
    reason: 'bad_reply',
    phase: 'transfer',
  },
  {
    peer: 'replies with another nonce',
    script: answersFrames((reply) => ({ ...reply, nonce: '00'.repeat(16) })),
    reason: 'bad_reply',
    phase: 'other',
  },
  {
    peer: 'sends the question back',
    script: answersFrames((_reply, request) => request),
    reason: 'bad_reply',
    phase: 'other',
  },
  {
    peer: 'is another node',
    script: answersFrames((reply) => ({
      ...reply,
      nodeHash: nodeHash('peer-2'),
      identity: { node: 'peer-2' },
    })),
    reason: 'wrong_peer',
    phase: 'other',
    detail: 'Expected node "peer-1" to answer, got "peer-2"',
  },
  {
    peer: 'is another node and does not say which',
    script: answersFrames(({ identity: _identity, ...reply }) => ({
      ...reply,
      nodeHash: '0123456789abcdef',
    })),
    reason: 'wrong_peer',
    phase: 'other',
    detail: 'Expected node "peer-1" to answer, got node hash 0123456789abcdef',
  },
  {
    peer: 'that is foreign accepts and resets',
    script: ends('rst'),
    foreign: true,
    reason: 'reset_after_accept',
  },
  {
    peer: 'that is foreign accepts and closes',
    script: ends('fin'),
    foreign: true,
    reason: 'closed_after_accept',
    phase: 'other',
  },
]

let certificate: Certificate

beforeAll(() => {
  certificate = createCertificate('IP:127.0.0.1')
})

describe('tcp probe', () => {
  test.each(rows)(
    'reports $reason when the peer $peer',
    async ({ script, foreign, reason, phase, detail }) => {
      await using peer = await startPeer(script)
      await using io = await openIo(slowClock)
      const { failure, phases } = await attemptOnce(tcpCheck(peer.port, { echo: foreign !== true }), io)
      expect(failure).toMatchObject(phase === undefined ? { reason } : { reason, phase })
      expect(failure?.detail).not.toBe('')
      if (detail !== undefined) expect(failure?.detail).toBe(detail)
      expect(Object.values(phases).every((seconds) => seconds >= 0)).toBe(true)
    },
  )

  test.each([
    { end: 'rst', reason: 'reset' },
    { end: 'fin', reason: 'closed_early' },
  ] as const)(
    'reports $reason when the peer ends the connection ($end) without a reply, later than 20 ms',
    async (row) => {
      await using peer = await startPeer(ends(row.end, 150))
      await using io = await openIo()
      const { failure } = await attemptOnce(tcpCheck(peer.port), io)
      expect(failure).toMatchObject({ reason: row.reason, phase: 'first_byte' })
    },
  )

  test('reports refused when nobody listens', async () => {
    await using io = await openIo()
    const { port } = await closedPeer()
    const { failure, facts } = await attemptOnce(tcpCheck(port), io)
    expect(failure).toMatchObject({ reason: 'refused', phase: 'connect' })
    expect(facts).toEqual({})
  })

  test('reports unreachable when no route leads there', async () => {
    await using io = await openIo()
    // No TCP connection can be made to the broadcast address of loopback: ENETUNREACH (tcp_v4_connect).
    const check = tcpCheck(9, { echo: true }, { address: '127.255.255.255' })
    const { failure } = await attemptOnce(check, io)
    expect(failure).toMatchObject({ reason: 'unreachable', phase: 'connect' })
  })

  // OpenSSL says nothing to what is no TLS; other libraries send an alert, as in the table.
  test('reports closed_after_accept when it speaks plaintext to a TLS port', async () => {
    await using peer = await startPeer(isSilent, { tls: certificate })
    await using io = await openIo(slowClock)
    const { failure } = await attemptOnce(tcpCheck(peer.port), io)
    expect(failure).toMatchObject({ reason: 'closed_after_accept', phase: 'first_byte' })
  })

  test('reports wrong_peer, not success, when any other node of ours answers', async () => {
    await using peer = await startPeer(answersFrames((reply) => reply))
    await using io = await openIo()
    const other = tcpCheck(peer.port, { echo: true }, { expectNode: 'peer-2' })
    expect((await attemptOnce(other, io)).failure).toMatchObject({ reason: 'wrong_peer' })
    const any = tcpCheck(peer.port, { echo: true }, { expectNode: undefined })
    expect((await attemptOnce(any, io)).failure).toBeUndefined()
  })
})

/** Half of the right reply, and then the end. */
function answersPart(then: Then): Script {
  const half = answersFrames((reply) => encodeFrame(reply).subarray(0, 40))
  return (socket, nth) => {
    half(socket, nth)
    // Once the half has arrived: an end on its heels would be read together with it.
    socket.once('data', () => setTimeout(() => finish(socket, then), 30))
  }
}

/** The right reply with some of its bytes changed, by their position. */
function answersBytes(changes: Readonly<Record<number, number>>): Script {
  return answersFrames((reply: EchoFrame) => {
    const bytes = encodeFrame(reply)
    for (const [position, value] of Object.entries(changes)) bytes[Number(position)] = value
    return bytes
  })
}

async function closedPeer(): Promise<{ readonly port: number }> {
  await using peer = await startPeer(isSilent)
  return { port: peer.port }
}
