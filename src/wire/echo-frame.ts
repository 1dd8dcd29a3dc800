import type { Seconds } from '../model/duration.ts'

/** Version of the responder protocol that this build speaks. */
export const PROTOCOL_VERSION = 1

export type Verb = 'echo' | 'bye'

/** A message of the tcp responder, as in docs/protocol.md. */
export interface EchoFrame {
  readonly verb: Verb
  readonly reply: boolean
  readonly draining: boolean
  readonly sequence: number
  /** 16 bytes, hexadecimal: what ties an answer to its question. */
  readonly nonce: string
  /** Hash of the sender's node name; see nodeHash. */
  readonly nodeHash: string
  /** Replies only; 0 in requests. */
  readonly residence: Seconds
  readonly runQueueWait: Seconds
  readonly loopLag: Seconds
  /** Once per connection. */
  readonly identity?: FrameIdentity
  readonly payload: Uint8Array
}

export interface FrameIdentity {
  readonly node: string
  readonly zone?: string
  readonly version?: string
}

export type FrameError = 'bad_magic' | 'newer_version' | 'unknown_verb' | 'too_long' | 'bad_identity'

export const HEADER_BYTES = 56
export const MAX_PAYLOAD_BYTES = 64 * 1024
const MAX_IDENTITY_BYTES = 1024
const MAGIC = Buffer.from('PMTR', 'latin1')

const OFFSET = {
  version: 4,
  verb: 5,
  flags: 6,
  sequence: 8,
  nonce: 12,
  payloadLength: 28,
  residence: 32,
  runQueueWait: 36,
  loopLag: 40,
  nodeHash: 48,
} as const
const FLAG = { reply: 1, draining: 2, identity: 8 } as const
const VERB_CODE: Readonly<Record<Verb, number>> = { echo: 1, bye: 3 }
const VERB_OF = new Map<number, Verb>([
  [1, 'echo'],
  [3, 'bye'],
])
const IDENTITY_TYPE = { node: 1, zone: 2, version: 3 } as const

export function encodeFrame(frame: EchoFrame): Buffer {
  const identity = frame.identity === undefined ? undefined : encodeIdentity(frame.identity)
  const bytes = Buffer.alloc(HEADER_BYTES + (identity?.length ?? 0) + frame.payload.length)
  MAGIC.copy(bytes)
  bytes.writeUInt8(PROTOCOL_VERSION, OFFSET.version)
  bytes.writeUInt8(VERB_CODE[frame.verb], OFFSET.verb)
  const flags =
    (frame.reply ? FLAG.reply : 0) |
    (frame.draining ? FLAG.draining : 0) |
    (identity === undefined ? 0 : FLAG.identity)
  bytes.writeUInt16BE(flags, OFFSET.flags)
  bytes.writeUInt32BE(frame.sequence >>> 0, OFFSET.sequence)
  bytes.write(frame.nonce, OFFSET.nonce, 16, 'hex')
  bytes.writeUInt32BE(frame.payload.length, OFFSET.payloadLength)
  bytes.writeUInt32BE(toMicroseconds(frame.residence), OFFSET.residence)
  bytes.writeUInt32BE(toMicroseconds(frame.runQueueWait), OFFSET.runQueueWait)
  bytes.writeUInt32BE(toMicroseconds(frame.loopLag), OFFSET.loopLag)
  bytes.write(frame.nodeHash, OFFSET.nodeHash, 8, 'hex')
  identity?.copy(bytes, HEADER_BYTES)
  bytes.set(frame.payload, HEADER_BYTES + (identity?.length ?? 0))
  return bytes
}

/** Cuts a byte stream into frames, however it was split. Holds one frame at most. */
export interface FrameParser {
  /** The frames that `chunk` completed, or what is wrong; after an error the parser is spent. */
  feed(chunk: Uint8Array): readonly EchoFrame[] | FrameError
  /** Bytes of a frame that has begun and is not complete. */
  readonly pending: number
}

export function createFrameParser(): FrameParser {
  let buffered: Buffer = Buffer.alloc(0)
  return {
    get pending() {
      return buffered.length
    },
    feed(chunk) {
      buffered = buffered.length === 0 ? Buffer.from(chunk) : Buffer.concat([buffered, chunk])
      const frames: EchoFrame[] = []
      for (;;) {
        const read = readFrame(buffered)
        if (typeof read === 'string') return read
        if (read === undefined) return frames
        frames.push(read.frame)
        buffered = buffered.subarray(read.length)
      }
    },
  }
}

/** The first frame in `bytes`, undefined when there is not enough yet. */
function readFrame(bytes: Buffer): { frame: EchoFrame; length: number } | FrameError | undefined {
  // Said as early as it can be known: a stranger that sent three bytes must not be waited for.
  const seen = Math.min(bytes.length, MAGIC.length)
  if (bytes.compare(MAGIC, 0, seen, 0, seen) !== 0) return 'bad_magic'
  if (bytes.length < HEADER_BYTES) return undefined
  if (bytes.readUInt8(OFFSET.version) > PROTOCOL_VERSION) return 'newer_version'
  const verb = VERB_OF.get(bytes.readUInt8(OFFSET.verb))
  if (verb === undefined) return 'unknown_verb'
  const payloadLength = bytes.readUInt32BE(OFFSET.payloadLength)
  if (payloadLength > MAX_PAYLOAD_BYTES) return 'too_long'
  const flags = bytes.readUInt16BE(OFFSET.flags)

  let start = HEADER_BYTES
  let identity: FrameIdentity | undefined
  if ((flags & FLAG.identity) !== 0) {
    if (bytes.length < start + 2) return undefined
    const end = start + 2 + bytes.readUInt16BE(start)
    if (end - start > MAX_IDENTITY_BYTES) return 'bad_identity'
    if (bytes.length < end) return undefined
    identity = decodeIdentity(bytes.subarray(start + 2, end))
    if (identity === undefined) return 'bad_identity'
    start = end
  }
  if (bytes.length < start + payloadLength) return undefined
  return {
    length: start + payloadLength,
    frame: {
      verb,
      reply: (flags & FLAG.reply) !== 0,
      draining: (flags & FLAG.draining) !== 0,
      sequence: bytes.readUInt32BE(OFFSET.sequence),
      nonce: bytes.toString('hex', OFFSET.nonce, OFFSET.nonce + 16),
      nodeHash: bytes.toString('hex', OFFSET.nodeHash, OFFSET.nodeHash + 8),
      residence: bytes.readUInt32BE(OFFSET.residence) / 1e6,
      runQueueWait: bytes.readUInt32BE(OFFSET.runQueueWait) / 1e6,
      loopLag: bytes.readUInt32BE(OFFSET.loopLag) / 1e6,
      ...(identity === undefined ? {} : { identity }),
      payload: bytes.subarray(start, start + payloadLength),
    },
  }
}

/** Two bytes of length, then entries of type, length and UTF-8 text. */
function encodeIdentity(identity: FrameIdentity): Buffer {
  const entries: Buffer[] = []
  for (const [name, type] of Object.entries(IDENTITY_TYPE)) {
    const value = identity[name as keyof FrameIdentity]
    if (value === undefined) continue
    const text = Buffer.from(value).subarray(0, 255)
    entries.push(Buffer.from([type, text.length]), text)
  }
  const body = Buffer.concat(entries)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length)
  return Buffer.concat([length, body])
}

function decodeIdentity(bytes: Buffer): FrameIdentity | undefined {
  const values = new Map<number, string>()
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + (bytes[at + 1] ?? bytes.length)
    if (end > bytes.length) return undefined
    values.set(bytes[at] ?? 0, bytes.toString('utf8', at + 2, end))
    at = end
  }
  const node = values.get(IDENTITY_TYPE.node)
  if (node === undefined) return undefined
  const zone = values.get(IDENTITY_TYPE.zone)
  const version = values.get(IDENTITY_TYPE.version)
  return { node, ...(zone === undefined ? {} : { zone }), ...(version === undefined ? {} : { version }) }
}

function toMicroseconds(seconds: Seconds): number {
  return Math.min(0xffff_ffff, Math.max(0, Math.round(seconds * 1e6)))
}
