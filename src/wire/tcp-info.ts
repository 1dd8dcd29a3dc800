/** The fields of Linux's `struct tcp_info` (include/uapi/linux/tcp.h) that measurements use. Times in seconds. */
export interface TcpInfo {
  /** `TCP_ESTABLISHED` is 1, `TCP_SYN_SENT` 2 (include/net/tcp_states.h). */
  readonly state: number
  readonly mss: number
  readonly pathMtu: number
  /** Smoothed round trip; 0 before the first sample. */
  readonly rtt: number
  readonly rttVariance: number
  /** Retransmitted segments over the life of the connection, SYNs among them. */
  readonly retransmits: number
}

/** End of `tcpi_total_retrans`: the struct grows with kernels, and all of them have this much (2.6 on). */
const LEAST_BYTES = 104

/**
 * Decodes what `getsockopt(TCP_INFO)` returned.
 *
 * @param bytes the buffer, host byte order
 * @param length the length that the kernel returned
 * @returns undefined when the struct is too short to be one
 */
export function decodeTcpInfo(bytes: Uint8Array, length: number): TcpInfo | undefined {
  if (length < LEAST_BYTES || bytes.byteLength < length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, length)
  const u32 = (offset: number) => view.getUint32(offset, true)
  return {
    state: view.getUint8(0),
    mss: u32(16),
    pathMtu: u32(60),
    rtt: u32(68) / 1e6,
    rttVariance: u32(72) / 1e6,
    retransmits: u32(100),
  }
}
