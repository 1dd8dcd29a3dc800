/** Bounds of the HTTP surface: what one client, or all of them, may hold. */
export interface WebLimits {
  /** Runs of fresh probes at once; identical requests share one. */
  readonly freshRuns: number
  readonly connections: number
  /** Bytes of request line and headers. */
  readonly headerBytes: number
  /** Bytes. No route reads a body. */
  readonly bodyBytes: number
  /** Characters of one name in a URL, decoded: a DNS name has 253 at most (RFC 1035, 2.3.4). */
  readonly nameLength: number
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** How often Node looks for requests past those two. */
  readonly checkingIntervalMs: number
  /** Silence after which a connection is cut, also in the middle of an answer: above the longest fresh run. */
  readonly connectionTimeoutMs: number
  /** Above the usual scrape interval of 60 s, so that Prometheus does not reconnect for each scrape. */
  readonly keepAliveTimeoutMs: number
}

export const DEFAULT_LIMITS: WebLimits = {
  freshRuns: 4,
  connections: 128,
  headerBytes: 8 * 1024,
  bodyBytes: 1024,
  nameLength: 1024,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkingIntervalMs: 5_000,
  connectionTimeoutMs: 90_000,
  keepAliveTimeoutMs: 75_000,
}
