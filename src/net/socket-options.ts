/** Reads `TCP_INFO` of a file descriptor into `into` and returns the length written, or -1. */
export type ReadTcpInfo = (fd: number, into: Uint8Array) => number

/** What the C library lets us ask of a socket that Node does not. */
export type SocketOptions =
  | { readonly clock: 'kernel'; readonly readTcpInfo: ReadTcpInfo }
  | { readonly clock: 'user'; readonly why: string }

// include/uapi/linux/in.h and tcp.h.
const IPPROTO_TCP = 6
const TCP_INFO = 11

/**
 * Loads the native binding to `getsockopt`. Where that fails, on another libc or without the optional package,
 * measurements run on the user clock alone, and `why` says so in one line.
 */
export async function loadSocketOptions(): Promise<SocketOptions> {
  try {
    const { default: koffi } = await import('koffi')
    const getsockopt = koffi
      .load(null)
      .func('int getsockopt(int fd, int level, int name, uint8_t *value, _Inout_ uint32_t *length)')
    const length = [0]
    return {
      clock: 'kernel',
      readTcpInfo(fd, into) {
        length[0] = into.byteLength
        return getsockopt(fd, IPPROTO_TCP, TCP_INFO, into, length) === 0 ? (length[0] ?? -1) : -1
      },
    }
  } catch (error) {
    return { clock: 'user', why: `Cannot call getsockopt: ${(error as Error).message.split('\n')[0]}` }
  }
}
