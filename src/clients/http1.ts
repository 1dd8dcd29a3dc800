import { Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Seconds } from '../model/duration.ts'
import { abortable } from '../net/abortable.ts'
import { type Connection, ConnectionLost } from '../net/connection.ts'
import type { PhaseTimer } from '../net/phase-timer.ts'
import type { Headers } from '../wire/far-end-headers.ts'
import { BadAnswer } from './failure.ts'

/** Bytes of body that are read at most. */
const MAX_BODY_BYTES = 1024 * 1024

export interface Http1Request {
  readonly path: string
  readonly headers: OutgoingHttpHeaders
}

export interface Http1Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: number
  /** How long the connection had been idle before this request. */
  readonly idleAge: Seconds
  /** It had carried an exchange before this one. */
  readonly reused: boolean
}

/**
 * One HTTP/1.1 connection, for one exchange after another. The socket stays with whoever dialled it.
 *
 * On `node:http` and not on undici, which closes a kept connection by the server's hint and hides its socket.
 */
export class Http1Connection {
  readonly #connection: Connection
  readonly #agent: SingleSocketAgent

  constructor(connection: Connection) {
    this.#connection = connection
    this.#agent = new SingleSocketAgent(connection)
  }

  /** Whether another exchange can be tried on it. */
  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /**
   * Sends a GET and reads the whole answer, through the phases request, first_byte and transfer.
   *
   * @throws ConnectionLost, BadAnswer, an HTTP parser's error, or the signal's reason; the connection is then closed
   */
  async get(asked: Http1Request, timer: PhaseTimer, signal: AbortSignal): Promise<Http1Answer> {
    const idleAge = this.#connection.beginExchange()
    timer.enter('request')
    try {
      const response = await this.#send(asked, timer, signal)
      timer.enter('transfer')
      const bytes = await this.#read(response, signal)
      timer.enter('other')
      this.#connection.endExchange()
      const { reused } = this.#connection.ending()
      return { status: response.statusCode ?? 0, headers: response.headers, bytes, idleAge, reused }
    } catch (error) {
      this.#connection[Symbol.dispose]()
      throw error
    }
  }

  #send(asked: Http1Request, timer: PhaseTimer, signal: AbortSignal): Promise<IncomingMessage> {
    return abortable(signal, (resolve, reject) => {
      const request = httpRequest({ agent: this.#agent, path: asked.path, headers: asked.headers })
      request.on('error', (error) => reject(this.#explain(error)))
      const onFinish = () => timer.enter('first_byte')
      const onUpgrade = ({ statusCode }: IncomingMessage) =>
        reject(new BadAnswer('http_status', `Answered with status ${statusCode}`))
      request.once('finish', onFinish).once('response', resolve).once('upgrade', onUpgrade)
      request.end()
      return () => request.off('finish', onFinish).off('response', resolve)
    })
  }

  #read(response: IncomingMessage, signal: AbortSignal): Promise<number> {
    return abortable(signal, (resolve, reject) => {
      let bytes = 0
      const onData = (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_BODY_BYTES) {
          reject(new BadAnswer('bad_reply', `Body is larger than ${MAX_BODY_BYTES} bytes`))
        }
      }
      const onEnd = () => {
        // A close-delimited body is complete for the parser even when an RST ended it.
        if (response.complete && this.#connection.ending().how !== 'rst') resolve(bytes)
        else reject(new ConnectionLost(this.#connection))
      }
      const onError = (error: Error) => reject(this.#explain(error))
      response.on('data', onData).once('end', onEnd).on('error', onError)
      return () => response.off('data', onData).off('end', onEnd)
    })
  }

  /** A parser's error stands for itself; everything else is told by how the connection ended. */
  #explain(error: Error & { code?: string }): Error {
    if (error.code?.startsWith('HPE_') && error.code !== 'HPE_INVALID_EOF_STATE') return error
    return new ConnectionLost(this.#connection, error)
  }
}

/** Gives the one socket of a connection to every request, and never another. */
class SingleSocketAgent extends Agent {
  readonly #connection: Connection
  #given = false

  constructor(connection: Connection) {
    super({ keepAlive: true, maxSockets: 1 })
    this.#connection = connection
  }

  override createConnection(): Duplex {
    if (this.#given) throw new ConnectionLost(this.#connection)
    this.#given = true
    return this.#connection.stream
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Without its parent's work every reuse fails with "socket hang up".
    super.keepSocketAlive(socket)
    // Its parent arms the server's idle hint and TCP keepalive, and both would hide what the path does to an
    // idle connection.
    this.#connection.stream.setTimeout(0)
    this.#connection.stream.setKeepAlive(false)
    return true
  }
}
