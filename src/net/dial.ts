import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Clock } from '../model/clock.ts'
import type { IpFamily } from '../model/path.ts'
import { abortable } from './abortable.ts'
import { Connection, ConnectionLost } from './connection.ts'
import type { PhaseTimer } from './phase-timer.ts'
import type { SocketOptions } from './socket-options.ts'
import { readHandshake } from './tcp-info.ts'

export interface DialOptions {
  /** IP literal. */
  readonly address: string
  readonly port: number
  readonly family: IpFamily
  /** TLS on top, verified against `servername`, or against the address without one. */
  readonly tls?: Pick<ConnectionOptions, 'servername' | 'ca' | 'ALPNProtocols'> | undefined
}

/** Opens the connections of all probes, and counts those that are open. */
export interface Dialer {
  /**
   * Connects from a fresh source port, running `timer` through the phases connect and tls, and leaves it in other.
   * Rejects with the socket's error or the signal's reason; no socket is left then.
   */
  dial(options: DialOptions, timer: PhaseTimer, signal: AbortSignal): Promise<Connection>
  /** Sockets that have not been closed yet. */
  readonly open: number
}

export function createDialer(clock: Clock, socketOptions: SocketOptions): Dialer {
  let open = 0

  async function dial(options: DialOptions, timer: PhaseTimer, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted()
    timer.enter('connect')
    // Happy eyeballs would give up on a SYN after 250 ms, and hide its retransmission.
    const socket = connect({
      host: options.address,
      port: options.port,
      family: options.family,
      autoSelectFamily: false,
      noDelay: true,
    })
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    await settled(socket, 'connect', signal)
    timer.enter('other')
    // Read at once: later samples are not the handshake's.
    const connection = new Connection(socket, readHandshake(socket, socketOptions), clock)
    if (options.tls === undefined) return connection
    timer.enter('tls')
    try {
      const secure = connectTls({ ...options.tls, host: options.address, socket })
      connection.secure(secure)
      await settled(secure, 'secureConnect', signal)
    } catch (error) {
      connection[Symbol.dispose]()
      // What TLS itself found wrong says more than the end of the connection that follows.
      const lost = !signal.aborted && connection.ending().how !== 'open'
      throw lost ? new ConnectionLost(connection, error) : error
    }
    timer.enter('other')
    return connection
  }

  return {
    dial,
    get open() {
      return open
    },
  }
}

/** Waits for the event, and destroys the socket if its error, its end or the signal comes first. */
async function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  try {
    await abortable<void>(signal, (resolve, reject) => {
      const onClose = () => reject(new Error('Socket closed before it was connected'))
      socket.once(event, resolve).once('error', reject).once('close', onClose)
      return () => socket.off(event, resolve).off('error', reject).off('close', onClose)
    })
  } catch (error) {
    // Whatever the socket still reports concerns nobody.
    socket.on('error', ignore)
    socket.destroy()
    throw error
  }
}

function ignore(): void {
  return
}
