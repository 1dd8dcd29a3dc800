import { randomUUID } from 'node:crypto'
import type { FarEnd } from '../model/facts.ts'
import type { Reason } from '../model/reason.ts'
import { abortable } from '../net/abortable.ts'
import { type Connection, ConnectionLost } from '../net/connection.ts'
import type { PhaseTimer } from '../net/phase-timer.ts'
import { createFrameParser, type EchoFrame, encodeFrame, type FrameError } from '../wire/echo-frame.ts'
import { nodeHash } from '../wire/node-hash.ts'
import { BadAnswer } from './failure.ts'

export interface EchoOptions {
  /** Node name to claim. */
  readonly from: string
  /** Node that must answer; absent where any may. */
  readonly expect?: string | undefined
  readonly timer: PhaseTimer
  readonly signal: AbortSignal
}

/**
 * Sends one echo frame and waits for its reply, however that is split.
 *
 * @throws ConnectionLost, BadAnswer, or the signal's reason
 */
export async function echo(connection: Connection, options: EchoOptions): Promise<FarEnd> {
  const { timer, signal } = options
  // Node keeps random bytes for these in store; asking for them each time costs more than the frame does.
  const nonce = randomUUID().replaceAll('-', '')
  const request = encodeFrame({
    verb: 'echo',
    reply: false,
    draining: false,
    sequence: 0,
    nonce,
    nodeHash: nodeHash(options.from),
    residence: 0,
    runQueueWait: 0,
    loopLag: 0,
    payload: new Uint8Array(0),
  })
  connection.beginExchange()
  timer.enter('first_byte')
  const reply = receiveFrame(connection, timer, signal)
  connection.stream.write(request)
  const frame = await reply
  timer.enter('other')
  if (!frame.reply || frame.nonce !== nonce) {
    throw new BadAnswer('bad_reply', 'The reply answers another question: its nonce differs')
  }
  if (options.expect !== undefined && frame.nodeHash !== nodeHash(options.expect)) {
    const who = frame.identity === undefined ? `node hash ${frame.nodeHash}` : `"${frame.identity.node}"`
    throw new BadAnswer('wrong_peer', `Expected node "${options.expect}" to answer, got ${who}`)
  }
  const { draining, residence, runQueueWait, loopLag } = frame
  return {
    node: frame.identity?.node ?? options.expect ?? frame.nodeHash,
    ...(frame.identity?.zone === undefined ? {} : { zone: frame.identity.zone }),
    ...(frame.identity?.version === undefined ? {} : { version: frame.identity.version }),
    draining,
    residence,
    runQueueWait,
    loopLag,
  }
}

const FRAME_ERRORS: Readonly<Record<FrameError, string>> = {
  bad_magic: 'The other end does not speak the responder protocol',
  newer_version: 'The other end speaks a newer version of the responder protocol',
  unknown_verb: 'The reply has an unknown verb',
  too_long: 'The reply announces more payload than is allowed',
  bad_identity: 'The identity in the reply is malformed',
}

const REASON_OF: Readonly<Record<FrameError, Reason>> = {
  bad_magic: 'protocol_mismatch',
  newer_version: 'protocol_version',
  unknown_verb: 'bad_reply',
  too_long: 'bad_reply',
  bad_identity: 'bad_reply',
}

/** The first frame to arrive. */
function receiveFrame(connection: Connection, timer: PhaseTimer, signal: AbortSignal): Promise<EchoFrame> {
  const { stream } = connection
  return abortable(signal, (resolve, reject) => {
    const parser = createFrameParser()
    const onData = (chunk: Buffer) => {
      if (timer.phase === 'first_byte') timer.enter('transfer')
      const frames = parser.feed(chunk)
      if (typeof frames === 'string') reject(new BadAnswer(REASON_OF[frames], FRAME_ERRORS[frames]))
      else if (frames[0] !== undefined) resolve(frames[0])
    }
    const onLost = (error?: Error) => reject(new ConnectionLost(connection, error))
    stream.on('data', onData).on('error', onLost).on('end', onLost)
    return () => stream.off('data', onData).off('error', onLost).off('end', onLost)
  })
}
