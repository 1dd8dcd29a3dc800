import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeTcpInfo } from '../../src/wire/tcp-info.ts'

/** What Linux 6.18 (x86_64) returned right after a connect over loopback. */
const CAPTURE = Buffer.from(
  [
    '010000000007aa01400d030000000000e57f0000180200000000000000000000000000000000000000000000',
    '04000000000000000400000004000000ffff0000d7ff00004300000021000000ffffff7f0a000000cbff0000',
    '0300000000000000d7ff00000000000012c4684003000000ffffffffffffffff010000000000000000000000',
    '0000000002000000010000000000000043000000000000000000000000000000000000000000000000000000',
  ].join(''),
  'hex',
)

describe('decodeTcpInfo', () => {
  test('reads a real connection', () => {
    const established = 1
    expect(decodeTcpInfo(CAPTURE, CAPTURE.length)).toEqual({
      state: established,
      mss: 32_741,
      pathMtu: 65_535,
      rtt: 0.000_067,
      rttVariance: 0.000_033,
      retransmits: 0,
    })
  })

  test('reads the struct of old kernels, which ends with the retransmissions', () => {
    const withRetransmits = Buffer.from(CAPTURE.subarray(0, 104))
    withRetransmits.writeUInt32LE(3, 100)
    expect(decodeTcpInfo(withRetransmits, 104)).toMatchObject({ retransmits: 3, mss: 32_741 })
  })

  test('reads the returned length of a larger buffer, and a buffer that begins within another', () => {
    const larger = Buffer.concat([Buffer.alloc(3), CAPTURE, Buffer.alloc(200)])
    expect(decodeTcpInfo(larger.subarray(3), CAPTURE.length)).toEqual(decodeTcpInfo(CAPTURE, CAPTURE.length))
  })

  test.each([
    ['getsockopt failed', CAPTURE, -1],
    ['nothing was returned', CAPTURE, 0],
    ['the struct is cut short', CAPTURE, 103],
    ['the buffer is shorter than the length', CAPTURE.subarray(0, 110), 120],
  ])('is undefined when %s', (_why, bytes, length) => {
    expect(decodeTcpInfo(bytes, length)).toBeUndefined()
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: -2, max: 400 }), (bytes, length) => {
        const info = decodeTcpInfo(bytes, length)
        expect(info === undefined).toBe(length < 104 || length > bytes.length)
      }),
    )
  })
})
