import type { Check } from '../../src/model/check.ts'
import type { Phase } from '../../src/model/reason.ts'
import { encodeFrame } from '../../src/wire/echo-frame.ts'
import { httpCheck, tcpCheck } from './checks.ts'
import { answerText } from './http-text.ts'
import { startFullListener } from './native-sockets.ts'
import { answers, answersFrames, doesNotRead, isSilent, type Script, startPeer } from './peers.ts'

/** A peer that falls silent in one phase of an attempt, and the check that meets it. */
export interface Silence {
  readonly kind: 'tcp' | 'http'
  readonly phase: Phase
  start(): Promise<AsyncDisposable & { readonly check: Check }>
}

/** Larger than what the buffers of both sockets take. */
const HUGE_PATH = `/v1/echo?pad=${'x'.repeat(12 * 1024 * 1024)}`

export const silences: readonly Silence[] = [
  { kind: 'tcp', phase: 'connect', start: () => lostSyns((port) => tcpCheck(port)) },
  { kind: 'tcp', phase: 'first_byte', start: () => peerWith(isSilent, (port) => tcpCheck(port)) },
  {
    kind: 'tcp',
    phase: 'transfer',
    start: () =>
      peerWith(
        answersFrames((reply) => encodeFrame(reply).subarray(0, 40)),
        (port) => tcpCheck(port),
      ),
  },
  { kind: 'http', phase: 'connect', start: () => lostSyns((port) => httpCheck(port)) },
  { kind: 'http', phase: 'tls', start: () => peerWith(isSilent, (port) => httpCheck(port, { tls: true })) },
  {
    kind: 'http',
    phase: 'request',
    start: () => peerWith(doesNotRead, (port) => httpCheck(port, { path: HUGE_PATH })),
  },
  { kind: 'http', phase: 'first_byte', start: () => peerWith(isSilent, (port) => httpCheck(port)) },
  {
    kind: 'http',
    phase: 'transfer',
    start: () =>
      peerWith(answers(answerText({ 'content-length': 512 }, 'part of it')), (port) => httpCheck(port)),
  },
]

async function peerWith(script: Script, checkOf: (port: number) => Check) {
  const peer = await startPeer(script)
  return { check: checkOf(peer.port), [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose]() }
}

async function lostSyns(checkOf: (port: number) => Check) {
  const listener = await startFullListener()
  return { check: checkOf(listener.port), [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() }
}
