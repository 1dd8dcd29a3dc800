import type { Socket } from 'node:net'
import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { Ending } from '../model/ending.ts'
import type { KernelFacts } from '../model/facts.ts'

/** A connection was lost, or ended, under whoever used it. */
export class ConnectionLost extends Error {
  readonly ending: Ending
  readonly sinceConnect: Seconds
  readonly code: string | undefined

  constructor(connection: Connection, cause?: unknown) {
    const ending = connection.ending()
    const code = codeOf(cause)
    super(describe(ending, code), { cause })
    this.ending = ending
    this.sinceConnect = connection.sinceConnect()
    this.code = code
  }
}

/** The `code` of an error of Node's, if it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * An established connection and the record of how it ends, kept on the socket itself: libraries on top of it
 * report FIN and RST alike. Whoever dialled it owns it; disposing it closes the socket.
 */
export class Connection implements Disposable {
  readonly kernel: KernelFacts | undefined
  readonly connectedAt: Instant
  readonly #clock: Clock
  readonly #raw: Socket
  #stream: Socket
  #how: Ending['how'] = 'open'
  #endedAt: Instant | undefined
  #exchanges = 0
  #sentBefore = 0
  #receivedBefore = 0
  #lastUsed: Instant

  constructor(raw: Socket, kernel: KernelFacts | undefined, clock: Clock) {
    this.#raw = raw
    this.#stream = raw
    this.kernel = kernel
    this.#clock = clock
    this.connectedAt = clock.now()
    this.#lastUsed = this.connectedAt
    this.#watch(raw)
  }

  /** Puts a TLS layer on top, which is what is read and written from now on. */
  secure(stream: Socket): void {
    this.#stream = stream
    this.#watch(stream)
  }

  /** What to read from and write to. */
  get stream(): Socket {
    return this.#stream
  }

  /** Begins one exchange: what `ending` says from now on is about it alone. Returns how long the connection was idle. */
  beginExchange(): Seconds {
    this.#exchanges += 1
    this.#sentBefore = this.#stream.bytesWritten
    this.#receivedBefore = this.#stream.bytesRead
    return this.#clock.now() - this.#lastUsed
  }

  endExchange(): void {
    this.#lastUsed = this.#clock.now()
  }

  get isOpen(): boolean {
    // Not writable any more: whoever used it last has begun to close it.
    return this.#how === 'open' && this.#stream.writable
  }

  ending(): Ending {
    return {
      how: this.#how,
      // Of the stream that is used: session tickets and the farewell of TLS are no answer.
      sent: this.#stream.bytesWritten - this.#sentBefore,
      received: this.#stream.bytesRead - this.#receivedBefore,
      reused: this.#exchanges > 1,
    }
  }

  /** From the completed connect to the end, or to now while it is open. */
  sinceConnect(): Seconds {
    return (this.#endedAt ?? this.#clock.now()) - this.connectedAt
  }

  /** Closes with RST, so that no TIME_WAIT remains on either side. */
  reset(): void {
    this.#raw.resetAndDestroy()
  }

  [Symbol.dispose](): void {
    this.#stream.destroy()
  }

  #watch(socket: Socket): void {
    socket.on('end', () => this.#end('fin'))
    socket.on('error', (error) => {
      const how = howBy(codeOf(error))
      if (how !== undefined) this.#end(how)
    })
  }

  #end(how: 'fin' | 'rst'): void {
    if (this.#how !== 'open') return
    this.#how = how
    this.#endedAt = this.#clock.now()
  }
}

/** How the other end ended the connection, by the error that this end got. Undefined for errors of another origin. */
function howBy(code: string | undefined): 'fin' | 'rst' | undefined {
  if (code === 'ECONNRESET') return 'rst'
  // Writing after the other end has closed, before its FIN was read (tcp_reset in Linux' net/ipv4/tcp_input.c).
  return code === 'EPIPE' ? 'fin' : undefined
}

function describe(ending: Ending, code: string | undefined): string {
  const how = { fin: 'closed by the other end (FIN)', rst: 'reset by the other end (RST)', open: 'failed' }
  // Node names any early end so, a FIN too.
  const suffix = code === undefined || code === 'ECONNRESET' ? '' : `, ${code}`
  return `Connection ${how[ending.how]} after ${ending.sent} bytes sent and ${ending.received} received${suffix}`
}
