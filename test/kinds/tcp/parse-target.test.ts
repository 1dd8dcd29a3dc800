import { describe, expect, test } from 'vitest'
import { tcpOptions } from '../../../src/kinds/tcp/options.ts'

describe('tcp target', () => {
  test('a foreign one gets no payload', () => {
    expect(tcpOptions.parseTarget('erp-db:5432', { responder: false })).toEqual({
      host: 'erp-db',
      port: 5432,
      options: { echo: false },
      does: 'connects, sends nothing and stays for 20ms',
      phases: ['connect'],
    })
  })

  test('a responder gets an echo', () => {
    expect(tcpOptions.parseTarget('[::1]:9703', { responder: true })).toMatchObject({
      host: '::1',
      port: 9703,
      options: { echo: true },
      phases: ['connect', 'first_byte', 'transfer'],
    })
  })

  test.each(['erp-db', 'tcp://erp-db:5432', ''])('says how to write it: %j', (text) => {
    expect(tcpOptions.parseTarget(text, { responder: false })).toEqual({
      problem: 'must be HOST:PORT, such as 10.8.0.5:5432 or [fd00::5]:5432',
    })
  })
})
