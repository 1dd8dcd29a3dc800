import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FarEnd } from '../../src/model/facts.ts'
import {
  decodeName,
  encodeName,
  parseConnectionHeader,
  parseFarEnd,
  parseKeepAlive,
  renderFarEnd,
} from '../../src/wire/far-end-headers.ts'

const farEnd: FarEnd = {
  node: 'n1',
  zone: 'zone-a',
  version: '1.2.3',
  draining: false,
  residence: 0.0015,
  runQueueWait: 0.000_25,
  loopLag: 0,
}

describe('headers of the far end', () => {
  test('are as the protocol says', () => {
    expect(renderFarEnd({ ...farEnd, draining: true })).toEqual({
      'pathmeter-node': 'n1',
      'pathmeter-zone': 'zone-a',
      'pathmeter-version': '1.2.3',
      'pathmeter-protocol': '1',
      'pathmeter-draining': 'true',
      'server-timing': 'residence;dur=1.500, runq;dur=0.250, lag;dur=0.000',
    })
  })

  test('come back as they went out, whatever the names are', () => {
    const microseconds = fc.integer({ min: 0, max: 10_000_000 }).map((value) => value / 1e6)
    // Encoded, the longest takes 9 bytes a character of at most 512.
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
      .filter((text) => encodeName(text).length <= 512)
    const any = fc.record({
      node: name,
      zone: name,
      version: fc.constant('1.2.3-rc.1'),
      draining: fc.boolean(),
      residence: microseconds,
      runQueueWait: microseconds,
      loopLag: microseconds,
    })
    fc.assert(
      fc.property(any, (sent) => {
        const headers = renderFarEnd(sent)
        for (const [field, value] of Object.entries(headers)) validateHeaderValue(field, value)
        const reading = parseFarEnd(headers)
        expect(reading).toMatchObject({ is: 'responder' })
        if (reading.is === 'responder') expect(rounded(reading.farEnd)).toEqual(rounded(sent))
      }),
    )
  })

  test.each(['node\r\nset-cookie: a', 'größe', '100%', '%zz', 'a b;c,d', '\u0000', '', '\ud800'])(
    'make the name %j harmless',
    (node) => {
      const header = renderFarEnd({ ...farEnd, node })['pathmeter-node'] ?? ''
      expect(header).toMatch(/^[\x21-\x7e]*$/)
      expect(decodeName(header)).toBe(node.toWellFormed())
    },
  )

  test('of a stranger are told apart', () => {
    expect(parseFarEnd({})).toEqual({ is: 'stranger' })
    expect(parseFarEnd({ 'pathmeter-node': 'n1' })).toEqual({ is: 'stranger' })
    expect(parseFarEnd({ 'pathmeter-protocol': '1' })).toEqual({ is: 'stranger' })
    expect(parseFarEnd({ 'pathmeter-protocol': '1', 'pathmeter-node': 'n'.repeat(513) })).toEqual({
      is: 'stranger',
    })
  })

  test('of a newer protocol are told apart', () => {
    const headers = { ...renderFarEnd(farEnd), 'pathmeter-protocol': '2.1' }
    expect(parseFarEnd(headers)).toEqual({ is: 'newer', protocol: '2.1' })
  })

  test('need no more than a node and a protocol', () => {
    expect(parseFarEnd({ 'pathmeter-protocol': '1', 'pathmeter-node': 'n1' })).toEqual({
      is: 'responder',
      farEnd: { node: 'n1', draining: false, residence: 0, runQueueWait: 0, loopLag: 0 },
    })
  })

  test.each([
    ['cdn-cache; desc=hit, residence;dur=2', { residence: 0.002, runQueueWait: 0 }],
    ['residence;dur=-1, runq;dur=1e9', { residence: 0, runQueueWait: 0 }],
    ['residence;dur=NaN', { residence: 0 }],
    ['residence;dur=99999999999', { residence: 0 }],
    ['residence;dur="2"', { residence: 0 }],
    [',,;=residence', { residence: 0 }],
    ['  runq;dur=0.5  ', { runQueueWait: 0.0005 }],
  ])('take from server-timing %j what is sane', (value, expected) => {
    const reading = parseFarEnd({ ...renderFarEnd(farEnd), 'server-timing': value })
    expect(reading).toMatchObject({ farEnd: expected })
  })

  test('never throw, whatever they are', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(undefined))
    const headers = fc.record({
      'pathmeter-node': value,
      'pathmeter-zone': value,
      'pathmeter-version': value,
      'pathmeter-protocol': fc.oneof(value, fc.constant('1')),
      'pathmeter-draining': value,
      'pathmeter-connection': value,
      'server-timing': value,
      'keep-alive': value,
    })
    fc.assert(
      fc.property(headers, (any) => {
        const reading = parseFarEnd(any)
        if (reading.is === 'responder') expect(reading.farEnd.residence).toBeGreaterThanOrEqual(0)
        parseConnectionHeader(any)
        parseKeepAlive(any)
      }),
    )
  })
})

describe('parseConnectionHeader', () => {
  test.each([
    ['a1-b_2; requests=1', { id: 'a1-b_2', requests: 1 }],
    ['abc; requests=12', { id: 'abc', requests: 12 }],
    ['abc', undefined],
    ['abc; requests=', undefined],
    ['abc; requests=-1', undefined],
    ['abc; requests=1, abc; requests=2', undefined],
    [`${'a'.repeat(65)}; requests=1`, undefined],
  ])('reads %j', (value, expected) => {
    expect(parseConnectionHeader({ 'pathmeter-connection': value })).toEqual(expected)
  })
})

describe('parseKeepAlive', () => {
  test.each([
    ['timeout=5', 5],
    ['timeout=5, max=100', 5],
    ['max=100, timeout=60', 60],
    ['max=100', undefined],
    ['mytimeout=5', undefined],
    ['timeout=soon', undefined],
  ])('reads %j', (value, expected) => {
    expect(parseKeepAlive({ 'keep-alive': value })).toBe(expected)
  })
})

/** Times to the microsecond, as they go over the wire. */
function rounded({ residence, runQueueWait, loopLag, ...rest }: FarEnd): unknown {
  return { ...rest, times: [residence, runQueueWait, loopLag].map((seconds) => Math.round(seconds * 1e6)) }
}
