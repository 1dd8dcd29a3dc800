import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACCEPT_WINDOW, classify, type Evidence } from '../../src/model/classify.ts'
import { PHASES, REASONS, type Reason } from '../../src/model/reason.ts'

type Row = readonly [reason: Reason, what: string, evidence: Partial<Evidence>]

const LATER = ACCEPT_WINDOW + 0.001
const [fresh, kept] = [false, true]

const rows: readonly Row[] = [
  ...codes('local_resource', ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EADDRINUSE'], {
    phase: 'connect',
  }),
  ...codes('denied_locally', ['EACCES', 'EPERM'], { phase: 'connect' }),
  [
    'local_resource',
    'even when the deadline passed too',
    { phase: 'connect', deadline: true, code: 'EMFILE' },
  ],

  ['timeout_connect', 'deadline in connect', { phase: 'connect', deadline: true }],
  ['timeout_tls', 'deadline in tls', { phase: 'tls', deadline: true }],
  ['timeout_request', 'deadline in request', { phase: 'request', deadline: true }],
  ['timeout_first_byte', 'deadline in first_byte', { phase: 'first_byte', deadline: true }],
  ['timeout_transfer', 'deadline in transfer', { phase: 'transfer', deadline: true }],
  ['timeout_transfer', 'deadline in other', { phase: 'other', deadline: true }],
  ['timeout_connect', 'the kernel gave up on the SYN', { phase: 'connect', code: 'ETIMEDOUT' }],
  [
    'timeout_first_byte',
    'the kernel gave up on the request',
    { phase: 'first_byte', code: 'ETIMEDOUT', ending: ending('open', 0, fresh) },
  ],

  ...codes('unreachable', ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENONET', 'ENOPROTOOPT'], {
    phase: 'connect',
  }),
  [
    'unreachable',
    'ICMP in the middle of an answer',
    { phase: 'transfer', code: 'EHOSTUNREACH', ending: ending('open', 5, fresh) },
  ],
  ['refused', 'RST in answer to the SYN', { phase: 'connect', code: 'ECONNREFUSED' }],
  ['reset_after_accept', 'RST before the connect was looked at', { phase: 'connect', code: 'ECONNRESET' }],

  ...codes(
    'tls_verify',
    [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CRL_HAS_EXPIRED',
      'ERROR_IN_CERT_NOT_AFTER_FIELD',
      'PATH_LENGTH_EXCEEDED',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'HOSTNAME_MISMATCH',
    ],
    { phase: 'tls' },
  ),
  ...codes('tls_protocol', ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT'], {
    phase: 'tls',
  }),
  [
    'tls_protocol',
    'an alert after the handshake',
    { phase: 'first_byte', code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
  ],

  ['bad_reply', 'a head without end', { phase: 'first_byte', code: 'HPE_HEADER_OVERFLOW' }],
  ['protocol_mismatch', 'no HTTP', { phase: 'first_byte', code: 'HPE_INVALID_CONSTANT' }],
  [
    'protocol_mismatch',
    'no HTTP, and an end',
    { phase: 'first_byte', code: 'HPE_INVALID_CONSTANT', ending: ending('fin', 9, fresh) },
  ],
  [
    'truncated',
    'an end within the head',
    { phase: 'first_byte', code: 'HPE_INVALID_EOF_STATE', ending: ending('fin', 9, fresh) },
  ],

  ['reuse_reset', 'RST, no byte, kept', { ending: ending('rst', 0, kept), sinceConnect: 60 }],
  ['reuse_reset', 'FIN, no byte, kept', { ending: ending('fin', 0, kept), sinceConnect: 0.001 }],
  ['reuse_reset', 'RST, no byte, kept, tcp', { protocol: 'tcp', ending: ending('rst', 0, kept) }],
  ['reset', 'RST, bytes, kept', { ending: ending('rst', 1, kept) }],
  ['truncated', 'FIN, bytes, kept', { ending: ending('fin', 1, kept) }],

  ['reset', 'RST, bytes, fresh', { ending: ending('rst', 1, fresh), sinceConnect: 0.001 }],
  ['truncated', 'FIN, bytes, fresh', { ending: ending('fin', 1, fresh), sinceConnect: 0.001 }],
  ['reset_before_response', 'RST, no byte, http', { ending: ending('rst', 0, fresh), sinceConnect: 0.001 }],
  [
    'reset_before_response',
    'RST, no byte, http, later',
    { ending: ending('rst', 0, fresh), sinceConnect: LATER },
  ],
  [
    'reset_after_accept',
    'RST, no byte, http, in tls',
    { phase: 'tls', ending: ending('rst', 0, fresh), sinceConnect: ACCEPT_WINDOW },
  ],
  [
    'reset',
    'RST, no byte, http, in tls, later',
    { phase: 'tls', ending: ending('rst', 0, fresh), sinceConnect: LATER },
  ],
  [
    'reset_after_accept',
    'RST, no byte, tcp',
    { protocol: 'tcp', ending: ending('rst', 0, fresh), sinceConnect: ACCEPT_WINDOW },
  ],
  [
    'reset',
    'RST, no byte, tcp, later',
    { protocol: 'tcp', ending: ending('rst', 0, fresh), sinceConnect: LATER },
  ],
  [
    'closed_after_accept',
    'FIN, no byte, tcp',
    { protocol: 'tcp', ending: ending('fin', 0, fresh), sinceConnect: ACCEPT_WINDOW },
  ],
  [
    'closed_early',
    'FIN, no byte, tcp, later',
    { protocol: 'tcp', ending: ending('fin', 0, fresh), sinceConnect: LATER },
  ],
  ['closed_early', 'FIN, no byte, http', { ending: ending('fin', 0, fresh), sinceConnect: 0.001 }],

  ['internal', 'nothing that any rule knows', {}],
  ['internal', 'an error of this program', { code: 'ERR_INVALID_ARG_TYPE' }],
  ['internal', 'a connection that is open', { ending: ending('open', 0, fresh) }],
]

describe('classify', () => {
  test.each(rows)('says %s of: %s', (reason, _what, evidence) => {
    expect(classify({ phase: 'first_byte', protocol: 'http', ...evidence })).toBe(reason)
  })

  test('names every failure with one of the reasons', () => {
    fc.assert(
      fc.property(anyEvidence(), (evidence) => {
        expect(REASONS).toContain(classify(evidence))
      }),
    )
  })

  test('calls nothing a timeout that ended by itself, and everything a timeout that the deadline ended', () => {
    fc.assert(
      fc.property(anyEvidence(), (evidence) => {
        const { code: _code, ...withoutCode } = evidence
        const reason = classify({ ...withoutCode, deadline: evidence.deadline ?? false })
        expect(reason.startsWith('timeout_')).toBe(evidence.deadline === true)
      }),
    )
  })

  test('blames a kept connection only for what came before the first byte of the answer', () => {
    fc.assert(
      fc.property(anyEvidence(), (evidence) => {
        fc.pre(classify(evidence) === 'reuse_reset')
        expect(evidence.ending).toMatchObject({ reused: true, received: 0 })
      }),
    )
  })
})

function codes(reason: Reason, names: readonly string[], evidence: Partial<Evidence>): readonly Row[] {
  return names.map((code) => [reason, code, { ...evidence, code }])
}

function ending(
  how: 'open' | 'fin' | 'rst',
  received: number,
  reused: boolean,
): NonNullable<Evidence['ending']> {
  return { how, sent: 100, received, reused }
}

function anyEvidence(): fc.Arbitrary<Evidence> {
  return fc.record(
    {
      phase: fc.constantFrom(...PHASES),
      protocol: fc.constantFrom('tcp' as const, 'http' as const),
      deadline: fc.boolean(),
      code: fc.constantFrom(
        'ECONNRESET',
        'ECONNREFUSED',
        'EPIPE',
        'EMFILE',
        'EPROTO',
        'HPE_INVALID_CONSTANT',
        'ENOENT',
      ),
      sinceConnect: fc.double({ min: 0, max: 100, noNaN: true }),
      ending: fc.record({
        how: fc.constantFrom('open' as const, 'fin' as const, 'rst' as const),
        sent: fc.nat(),
        received: fc.nat({ max: 2 }),
        reused: fc.boolean(),
      }),
    },
    { requiredKeys: ['phase', 'protocol'] },
  )
}
