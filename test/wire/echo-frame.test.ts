import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createFrameParser,
  type EchoFrame,
  encodeFrame,
  type FrameError,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
} from '../../src/wire/echo-frame.ts'
import { anyFrame, cut, requestFrame } from '../support/frames.ts'

describe('echo frames', () => {
  test('come out as they went in, however the stream is split', () => {
    fc.assert(
      fc.property(fc.array(anyFrame(), { maxLength: 4 }), fc.array(fc.nat()), (frames, places) => {
        const stream = Buffer.concat(frames.map(encodeFrame))
        const parser = createFrameParser()
        const read = cut(stream, places).flatMap((piece) => framesOf(parser.feed(piece)))
        expect(read.map(comparable)).toEqual(frames.map(comparable))
        expect(parser.pending).toBe(0)
      }),
    )
  })

  test('are complete with their last byte and not before', () => {
    const bytes = encodeFrame(requestFrame({ identity: { node: 'n' }, payload: Buffer.from('hello') }))
    const parser = createFrameParser()
    for (let i = 0; i < bytes.length - 1; i++) {
      expect(parser.feed(bytes.subarray(i, i + 1))).toEqual([])
      expect(parser.pending).toBe(i + 1)
    }
    expect(parser.feed(bytes.subarray(-1))).toHaveLength(1)
  })

  test('are laid out as the protocol says', () => {
    const bytes = encodeFrame(
      requestFrame({
        verb: 'bye',
        reply: true,
        draining: true,
        residence: 0.000_001,
        runQueueWait: 0.002,
        loopLag: 3,
        payload: Buffer.from('!'),
        identity: { node: 'n1', zone: 'z' },
      }),
    )
    expect(bytes.toString('hex')).toBe(
      [
        '504d5452', // PMTR
        '01', // version
        '03', // bye
        '000b', // reply, draining, identity follows
        '00000007', // sequence
        '000102030405060708090a0b0c0d0e0f', // nonce
        '00000001', // payload length
        '00000001', // residence
        '000007d0', // run-queue wait
        '002dc6c0', // loop lag
        '00000000', // receive-buffer drops: UDP only
        'fedcba9876543210', // node hash
        '0007', // identity length
        '01026e31', // node
        '02017a', // zone
        '21', // payload
      ].join(''),
    )
  })

  test('bound times and texts to what their fields hold', () => {
    const bytes = encodeFrame(
      requestFrame({ residence: 1e9, loopLag: -1, identity: { node: 'n'.repeat(300) } }),
    )
    const [frame] = framesOf(createFrameParser().feed(bytes))
    expect(frame).toMatchObject({
      residence: 0xffff_ffff / 1e6,
      loopLag: 0,
      identity: { node: 'n'.repeat(255) },
    })
  })

  test('may carry 64 KiB', () => {
    const payload = Buffer.alloc(MAX_PAYLOAD_BYTES, 'x')
    const [frame] = framesOf(createFrameParser().feed(encodeFrame(requestFrame({ payload }))))
    expect(frame?.payload).toHaveLength(65_536)
  })

  test('of a newer minor kind are read: unknown flags and identity entries are passed over', () => {
    const bytes = encodeFrame(requestFrame({ identity: { node: 'n1', zone: 'z' } }))
    bytes.writeUInt16BE(bytes.readUInt16BE(6) | 0x4000, 6)
    bytes.writeUInt8(200, HEADER_BYTES + 6)
    const [frame] = framesOf(createFrameParser().feed(bytes))
    expect(frame?.identity).toEqual({ node: 'n1' })
  })
})

describe('frame parser', () => {
  test.each<[FrameError, string, (bytes: Buffer) => Buffer]>([
    ['bad_magic', 'another protocol', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['bad_magic', 'one byte of another protocol', () => Buffer.from('G')],
    ['bad_magic', 'a magic that goes wrong at its end', () => Buffer.from('PMTX')],
    ['newer_version', 'version 2', (bytes) => withByte(bytes, 4, 2)],
    ['unknown_verb', 'verb 0', (bytes) => withByte(bytes, 5, 0)],
    ['unknown_verb', 'verb 255', (bytes) => withByte(bytes, 5, 255)],
    ['too_long', 'a payload of 64 KiB and a byte', (bytes) => withByte(withByte(bytes, 29, 1), 31, 1)],
    ['bad_identity', 'an identity above 1 KiB', (bytes) => withByte(bytes, HEADER_BYTES, 4)],
    [
      'bad_identity',
      'an identity whose entry ends outside of it',
      (bytes) => withByte(bytes, HEADER_BYTES + 3, 200),
    ],
    ['bad_identity', 'an identity without a node', (bytes) => withByte(bytes, HEADER_BYTES + 2, 9)],
    ['bad_identity', 'an identity that ends after a type', (bytes) => withByte(bytes, HEADER_BYTES + 1, 1)],
  ])('says %s of %s', (error, _what, change) => {
    expect(createFrameParser().feed(change(encodeFrame(requestFrame({ identity: { node: 'n1' } }))))).toBe(
      error,
    )
  })

  test('finds a fault also behind a good frame', () => {
    const good = encodeFrame(requestFrame())
    expect(createFrameParser().feed(Buffer.concat([good, Buffer.from('?')]))).toBe('bad_magic')
  })

  test('never throws, and never holds more than a frame and what came with it', () => {
    fc.assert(
      fc.property(anyBytes(), fc.array(fc.nat()), (bytes, places) => {
        const parser = createFrameParser()
        for (const piece of cut(bytes, places)) {
          if (typeof parser.feed(piece) === 'string') break
          expect(parser.pending).toBeLessThanOrEqual(HEADER_BYTES + 2 + 1024 + MAX_PAYLOAD_BYTES)
        }
      }),
    )
  })
})

/** Noise, and frames with some of their bytes changed, which get further. */
function anyBytes(): fc.Arbitrary<Buffer> {
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
  const broken = fc.tuple(anyFrame(), fc.array(change, { maxLength: 5 })).map(([frame, changes]) => {
    const bytes = encodeFrame(frame)
    for (const [place, value] of changes) bytes[place % bytes.length] = value
    return bytes
  })
  return fc.oneof(
    noise,
    broken,
    fc.array(broken, { maxLength: 3 }).map((all) => Buffer.concat(all)),
  )
}

function framesOf(fed: readonly EchoFrame[] | FrameError): readonly EchoFrame[] {
  if (typeof fed === 'string') throw new Error(`Expected frames, got ${fed}`)
  return fed
}

function comparable(frame: EchoFrame): EchoFrame {
  return { ...frame, payload: Uint8Array.from(frame.payload) }
}

function withByte(bytes: Buffer, place: number, value: number): Buffer {
  bytes[place] = value
  return bytes
}
