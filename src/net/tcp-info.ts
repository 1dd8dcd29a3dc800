import type { Socket } from 'node:net'
import type { KernelFacts } from '../model/facts.ts'
import { decodeTcpInfo } from '../wire/tcp-info.ts'
import type { SocketOptions } from './socket-options.ts'

const buffer = new Uint8Array(256)

/**
 * What the kernel measured of a connection that has carried nothing but its handshake: one round trip, SYN to
 * SYN-ACK. Undefined without the native library, and once the socket is closed.
 *
 * No `rtt` after a SYN retransmission, when the kernel drops the sample (Karn's rule) and what remains is grained
 * in milliseconds or 0.
 */
export function readHandshake(socket: Socket, options: SocketOptions): KernelFacts | undefined {
  if (options.clock === 'user') return undefined
  const fd = (socket as Socket & { _handle?: { fd?: number } })._handle?.fd
  if (fd === undefined || fd < 0) return undefined
  const info = decodeTcpInfo(buffer, options.readTcpInfo(fd, buffer))
  if (info === undefined) return undefined
  const clean = info.retransmits === 0 && info.rtt > 0
  return {
    ...(clean ? { rtt: info.rtt } : {}),
    synRetransmits: info.retransmits,
    mss: info.mss,
    pathMtu: info.pathMtu,
  }
}
