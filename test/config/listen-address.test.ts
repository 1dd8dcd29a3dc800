import { describe, expect, test } from 'vitest'
import { formatListenAddress, overlaps, parseListenAddress } from '../../src/config/listen-address.ts'

describe('a listen address', () => {
  test.each([
    [':9700', { host: '', port: 9700 }],
    [':0', { host: '', port: 0 }],
    ['0.0.0.0:9700', { host: '0.0.0.0', port: 9700 }],
    ['127.0.0.1:65535', { host: '127.0.0.1', port: 65_535 }],
    ['[::]:9700', { host: '::', port: 9700 }],
    ['[fd00::1]:9700', { host: 'fd00::1', port: 9700 }],
  ])('"%s" is read and written back', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address)
    expect(formatListenAddress(address)).toBe(text)
  })

  test.each([
    '',
    ':',
    '9700',
    ':65536',
    ':-1',
    ':9700 ',
    'localhost:9700',
    '127.0.0:9700',
    '[127.0.0.1]:9700',
    '[]:9700',
    '::1:9700',
    '[::1]',
    '[::1]9700',
  ])('"%s" is none', (text) => {
    expect(parseListenAddress(text)).toBeUndefined()
  })

  test.each([
    [':9700', ':9700', true],
    [':9700', ':9701', false],
    [':0', ':0', false],
    [':9700', '127.0.0.1:9700', true],
    [':9700', '[::1]:9700', true],
    ['[::]:9700', '127.0.0.1:9700', true],
    ['0.0.0.0:9700', '127.0.0.1:9700', true],
    ['0.0.0.0:9700', '[::1]:9700', false],
    ['0.0.0.0:9700', '[::]:9700', true],
    ['127.0.0.1:9700', '127.0.0.2:9700', false],
    ['[::1]:9700', '[0:0:0:0:0:0:0:1]:9700', true],
    ['[0:0::0]:9700', '127.0.0.1:9700', true],
  ])('%s and %s are in each other’s way: %s', (one, other, expected) => {
    const [a, b] = [parseListenAddress(one), parseListenAddress(other)]
    if (a === undefined || b === undefined) throw new Error('Cannot read the addresses of this test')
    expect(overlaps(a, b)).toBe(expected)
    expect(overlaps(b, a)).toBe(expected)
  })
})
