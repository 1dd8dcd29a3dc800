/** One thing that is wrong with an input: where, what stands there, and what is right. */
export interface Problem {
  /** Dotted path of the key, such as `probes.tcp.every` or `peers.static[2].node`. */
  readonly path: string
  /** A sentence that carries the offending value. */
  readonly message: string
}
