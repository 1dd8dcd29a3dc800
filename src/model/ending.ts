/**
 * How a connection came to its end, seen on the socket itself. HTTP libraries report FIN and RST alike,
 * and take a FIN in a close-delimited body for a complete answer.
 */
export interface Ending {
  readonly how: 'open' | 'fin' | 'rst'
  /** Bytes of payload this end handed to the kernel, and received. */
  readonly sent: number
  readonly received: number
  /** The connection had carried an exchange before this one. */
  readonly reused: boolean
}
