/**
 * Why something failed: a closed set, and the `reason` label of the failure counters.
 * What each looks like on the wire and where to look next is in docs/reasons.md.
 */
export const REASONS = [
  'timeout_connect',
  'timeout_tls',
  'timeout_request',
  'timeout_first_byte',
  'timeout_transfer',
  'refused',
  'unreachable',
  'reset',
  'reset_before_response',
  'reset_after_accept',
  'closed_after_accept',
  'closed_early',
  'truncated',
  'reuse_reset',
  'tls_verify',
  'tls_protocol',
  'http_status',
  'forbidden',
  'protocol_mismatch',
  'protocol_version',
  'wrong_peer',
  'bad_reply',
  'draining',
  'local_resource',
  'denied_locally',
  'internal',
] as const

export type Reason = (typeof REASONS)[number]

/** Reasons that lie with this agent or its node, and are never evidence against a path. */
export const OWN_REASONS: ReadonlySet<Reason> = new Set(['local_resource', 'denied_locally', 'internal'])

/** Part of an attempt that is timed by itself. The phases of one attempt add up to its duration. */
export const PHASES = ['connect', 'tls', 'request', 'first_byte', 'transfer', 'other'] as const

export type Phase = (typeof PHASES)[number]
