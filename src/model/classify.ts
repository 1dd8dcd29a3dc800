import type { Seconds } from './duration.ts'
import type { Ending } from './ending.ts'
import type { Phase, Reason } from './reason.ts'

/** Everything that is known of a failure on the wire. */
export interface Evidence {
  readonly phase: Phase
  readonly protocol: 'tcp' | 'http'
  /** The attempt's deadline passed before anything else went wrong. */
  readonly deadline?: boolean
  /** Code of the error that Node raised: an errno name, a TLS or an HTTP parser code. */
  readonly code?: string | undefined
  readonly ending?: Ending | undefined
  /** From the completed connect to the end of the connection. */
  readonly sinceConnect?: Seconds | undefined
}

interface Rule {
  readonly reason: Reason
  matches(evidence: Evidence): boolean
}

/** An end this soon after the connect is the acceptor's doing: nothing was waited for. */
export const ACCEPT_WINDOW: Seconds = 0.02

const LOCAL_RESOURCE = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EADDRINUSE'])
const DENIED_LOCALLY = new Set(['EPERM', 'EACCES'])
/** What ICMP's destination unreachable becomes (icmp_err_convert in Linux' net/ipv4/icmp.c), and routes without a next hop. */
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENONET', 'ENOPROTOOPT'])
/** Peers that end a handshake, by Node's own check of the certificate (tls.checkServerIdentity, X509_V_ERR_*). */
const TLS_VERIFY =
  /^(CERT_|CRL_|ERROR_IN_C|ERR_TLS_CERT_|UNABLE_TO_|(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$)/
const TLS_PROTOCOL = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/
/** A connection that ended inside a message is judged by its ending. */
const HTTP_PARSER = /^HPE_(?!INVALID_EOF_STATE$)/

/** The first rule that matches decides. */
const RULES: readonly Rule[] = [
  { reason: 'local_resource', matches: ({ code }) => code !== undefined && LOCAL_RESOURCE.has(code) },
  { reason: 'denied_locally', matches: ({ code }) => code !== undefined && DENIED_LOCALLY.has(code) },

  { reason: 'timeout_connect', matches: (e) => timedOut(e) && e.phase === 'connect' },
  { reason: 'timeout_tls', matches: (e) => timedOut(e) && e.phase === 'tls' },
  { reason: 'timeout_request', matches: (e) => timedOut(e) && e.phase === 'request' },
  { reason: 'timeout_first_byte', matches: (e) => timedOut(e) && e.phase === 'first_byte' },
  { reason: 'timeout_transfer', matches: (e) => timedOut(e) },

  { reason: 'unreachable', matches: ({ code }) => code !== undefined && UNREACHABLE.has(code) },
  { reason: 'refused', matches: ({ phase, code }) => phase === 'connect' && code === 'ECONNREFUSED' },
  // Linux gives ECONNRESET only after the handshake (tcp_reset in net/ipv4/tcp_input.c): the RST came before
  // this process looked.
  {
    reason: 'reset_after_accept',
    matches: ({ phase, code }) => phase === 'connect' && code === 'ECONNRESET',
  },

  { reason: 'tls_verify', matches: ({ code }) => code !== undefined && TLS_VERIFY.test(code) },
  { reason: 'tls_protocol', matches: ({ code }) => code !== undefined && TLS_PROTOCOL.test(code) },
  { reason: 'bad_reply', matches: ({ code }) => code === 'HPE_HEADER_OVERFLOW' },
  {
    reason: 'protocol_mismatch',
    matches: ({ code, ending }) =>
      code !== undefined && HTTP_PARSER.test(code) && (ending === undefined || ending.received > 0),
  },

  // Open still counts: Node gives a kept socket up by itself when its end is waiting to be read.
  { reason: 'reuse_reset', matches: (e) => e.ending?.reused === true && silent(e) },
  { reason: 'reset', matches: (e) => by(e, 'rst') && !silent(e) },
  { reason: 'truncated', matches: (e) => by(e, 'fin') && !silent(e) },
  {
    reason: 'reset_before_response',
    matches: (e) => by(e, 'rst') && e.protocol === 'http' && e.phase !== 'tls',
  },
  { reason: 'reset_after_accept', matches: (e) => by(e, 'rst') && atAccept(e) },
  { reason: 'closed_after_accept', matches: (e) => by(e, 'fin') && e.protocol === 'tcp' && atAccept(e) },
  { reason: 'reset', matches: (e) => by(e, 'rst') },
  { reason: 'closed_early', matches: (e) => by(e, 'fin') },
]

/** The reason for a failure on the wire; `internal` when no rule knows the evidence. */
export function classify(evidence: Evidence): Reason {
  return RULES.find((rule) => rule.matches(evidence))?.reason ?? 'internal'
}

function timedOut({ deadline, code }: Evidence): boolean {
  // ETIMEDOUT: the kernel itself gave up retransmitting.
  return deadline === true || code === 'ETIMEDOUT'
}

function by({ ending }: Evidence, how: 'fin' | 'rst'): boolean {
  return ending?.how === how
}

function silent({ ending }: Evidence): boolean {
  return ending?.received === 0
}

function atAccept({ sinceConnect }: Evidence): boolean {
  return sinceConnect !== undefined && sinceConnect <= ACCEPT_WINDOW
}
