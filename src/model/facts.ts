import type { Seconds } from './duration.ts'

/** What the kernel says of a connection (TCP_INFO). A field is absent where it cannot be trusted. */
export interface KernelFacts {
  /** SYN to SYN-ACK. Absent after a SYN retransmission, when the sample is no round trip (Karn's rule). */
  readonly rtt?: Seconds
  readonly synRetransmits: number
  /** Bytes. */
  readonly mss: number
  /** Bytes. */
  readonly pathMtu: number
}

/** What the other end said of itself in its answer. */
export interface FarEnd {
  readonly node: string
  readonly zone?: string
  readonly version?: string
  readonly draining: boolean
  /** Request received to answer sent, on its monotonic clock. */
  readonly residence: Seconds
  /** How long it was kept waiting for a CPU before it received us. */
  readonly runQueueWait: Seconds
  /** How late its event loop was. */
  readonly loopLag: Seconds
}

export interface TcpFacts {
  readonly kernel?: KernelFacts
  readonly farEnd?: FarEnd
}

export interface HttpFacts {
  readonly kernel?: KernelFacts
  readonly farEnd?: FarEnd
  readonly status?: number
  /** Body bytes received. */
  readonly bytes: number
  /** The exchange really ran on a kept connection, by the responder's own count. */
  readonly reused: boolean
  /** A reuse was due, and a new connection had to be made: such a sample is not warm. */
  readonly reconnected: boolean
  /** How long the kept connection had been idle before the request. */
  readonly idleAge?: Seconds
  /** The server's `Keep-Alive: timeout=`. */
  readonly announcedIdle?: Seconds
}

/** The facts that each kind of check gathers, by its name. Its keys are the kinds there are. */
export interface FactsOf {
  tcp: TcpFacts
  http: HttpFacts
}

export type KindName = keyof FactsOf
