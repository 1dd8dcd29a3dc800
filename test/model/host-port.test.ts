import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatHostPort, parseHostPort } from '../../src/model/host-port.ts'

test('a host and a port are read as people write them', () => {
  expect(parseHostPort('erp-db:5432')).toEqual({ host: 'erp-db', port: 5432 })
  expect(parseHostPort('10.8.0.5:1')).toEqual({ host: '10.8.0.5', port: 1 })
  expect(parseHostPort('[fd00::5]:65535')).toEqual({ host: 'fd00::5', port: 65_535 })
})

test.each([
  '',
  'erp-db',
  'erp-db:',
  ':5432',
  'erp-db:0',
  'erp-db:65536',
  'erp-db:x',
  'fd00::5:80',
  '[erp-db]:80',
  '[10.0.0.1]:80',
])('what is no host and port is not read: %j', (text) => {
  expect(parseHostPort(text)).toBeUndefined()
})

test.each(['http://a:80', 'a/b:80', 'user@a:80', 'a b:80', 'a?b:80', 'a#b:80'])(
  'no part of a URL passes for a host: %j',
  (text) => {
    expect(parseHostPort(text)).toBeUndefined()
  },
)

test('what is written is read as it was, for both families', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()),
      fc.integer({ min: 1, max: 65_535 }),
      (host, port) => {
        expect(parseHostPort(formatHostPort(host, port))).toEqual({ host, port })
      },
    ),
  )
})
