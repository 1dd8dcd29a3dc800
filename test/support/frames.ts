import fc from 'fast-check'
import type { EchoFrame } from '../../src/wire/echo-frame.ts'

/** A request as a prober sends it. */
export function requestFrame(changes: Partial<EchoFrame> = {}): EchoFrame {
  return {
    verb: 'echo',
    reply: false,
    draining: false,
    sequence: 7,
    nonce: '000102030405060708090a0b0c0d0e0f',
    nodeHash: 'fedcba9876543210',
    residence: 0,
    runQueueWait: 0,
    loopLag: 0,
    payload: new Uint8Array(0),
    ...changes,
  }
}

/** Any frame that can be written. */
export function anyFrame(): fc.Arbitrary<EchoFrame> {
  const microseconds = fc.integer({ min: 0, max: 0xffff_ffff }).map((value) => value / 1e6)
  // At most 255 bytes in UTF-8.
  const name = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => Buffer.byteLength(text) <= 255)
  const identity = fc.record({ node: name, zone: name, version: name }, { requiredKeys: ['node'] })
  return fc.record(
    {
      verb: fc.constantFrom('echo' as const, 'bye' as const),
      reply: fc.boolean(),
      draining: fc.boolean(),
      sequence: fc.integer({ min: 0, max: 0xffff_ffff }),
      nonce: fc
        .uint8Array({ minLength: 16, maxLength: 16 })
        .map((bytes) => Buffer.from(bytes).toString('hex')),
      nodeHash: fc
        .uint8Array({ minLength: 8, maxLength: 8 })
        .map((bytes) => Buffer.from(bytes).toString('hex')),
      residence: microseconds,
      runQueueWait: microseconds,
      loopLag: microseconds,
      payload: fc.uint8Array({ maxLength: 200 }),
      identity,
    },
    {
      requiredKeys: [
        'verb',
        'reply',
        'draining',
        'sequence',
        'nonce',
        'nodeHash',
        'residence',
        'runQueueWait',
        'loopLag',
        'payload',
      ],
    },
  )
}

/** Cuts bytes into pieces at any places. */
export function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}
