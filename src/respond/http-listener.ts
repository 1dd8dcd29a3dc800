import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpExchange, Mount } from '../kinds/kind.ts'
import type { Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import { decodeName, renderFarEnd } from '../wire/far-end-headers.ts'
import { nodeHash } from '../wire/node-hash.ts'
import type { Seat } from './admission.ts'
import type { Desk } from './desk.ts'

export interface HttpListenerOptions {
  /** Path under which everything is served too, so that a gateway may strip it or not; `/pathmeter`. */
  readonly prefix: string
  /** How long an idle connection is kept: as long as any, or our own limit would look like a middlebox's. */
  readonly hold: Seconds
  /** How long the head of a request may take to arrive, and a third of what the whole may. */
  readonly arrival: Seconds
}

/** Requests of one connection that may wait for their answers; probers have one. */
const MOST_PIPELINED = 16

type Route = (exchange: HttpExchange) => void

interface ConnectionState {
  readonly id: string
  readonly seat: Seat
  requests: number
  unanswered: number
  /** Bytes of both directions that the seat has paid for. */
  spent: number
}

/** Listens for HTTP/1.1 and serves the routes of all mounts. Does not bind yet. */
export function createHttpListener(
  mounts: readonly Extract<Mount, { protocol: 'http' }>[],
  desk: Desk,
  { prefix, hold, arrival }: HttpListenerOptions,
): Server {
  const routes = new Map<string, Route>(mounts.flatMap((mount) => Object.entries(mount.routes)))
  const connections = new WeakMap<Socket, ConnectionState>()
  const server = createServer({
    noDelay: true,
    maxHeaderSize: 16 * 1024,
    headersTimeout: milliseconds(arrival),
    requestTimeout: milliseconds(3 * arrival),
    connectionsCheckingInterval: milliseconds(arrival / 2),
    keepAliveTimeout: milliseconds(hold),
  })
  server.on('connection', (socket: Socket) => {
    const seat = desk.admission.admit(socket.remoteAddress ?? '', () => socket.destroy())
    if (typeof seat === 'string') {
      desk.rejected(seat)
      socket.destroy()
      return
    }
    connections.set(socket, {
      id: randomBytes(6).toString('hex'),
      seat,
      requests: 0,
      unanswered: 0,
      spent: 0,
    })
    socket.once('close', () => desk.admission.release(seat))
  })
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code?.startsWith('HPE_')) desk.rejected('bad_http')
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') desk.rejected('slow_http')
    socket.destroy()
  })
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    // One read can hold many requests, also after one that cost the connection.
    if (connection !== undefined && !request.socket.destroyed) serve(request, response, connection)
  })

  function serve(request: IncomingMessage, response: ServerResponse, connection: ConnectionState): void {
    const receivedAt = desk.clock.now()
    desk.served('http')
    connection.requests += 1
    const { requests } = connection
    const reject = (reason: string) => {
      desk.rejected(reason)
      request.socket.destroy()
    }
    connection.unanswered += 1
    response.once('close', () => {
      connection.unanswered -= 1
    })
    if (connection.unanswered > MOST_PIPELINED) {
      reject('too_many_pipelined')
      return
    }
    const from = claimedNode(request)
    if (from !== undefined && !desk.claim(connection.seat, nodeHash(from), from)) {
      reject('too_many_per_source')
      return
    }
    const { path, query } = parseTarget(request.url ?? '/', prefix)
    const head = (status: number) => {
      response.statusCode = status
      response.setHeader('pathmeter-connection', `${connection.id}; requests=${requests}`)
      for (const [name, value] of Object.entries(renderFarEnd(desk.farEnd(receivedAt)))) {
        response.setHeader(name, value)
      }
    }
    const route = routes.get(`${request.method} ${path}`) ?? notFound
    const wait = debtOf(connection, request.socket, receivedAt)
    if (wait === 0) route({ request, response, query, head, reject })
    else {
      const timer = setTimeout(() => route({ request, response, query, head, reject }), wait * 1000)
      response.once('close', () => clearTimeout(timer))
    }
  }

  return server
}

function milliseconds(seconds: Seconds): number {
  // Node takes whole ones alone.
  return Math.ceil(seconds * 1000)
}

function notFound({ response, head }: HttpExchange): void {
  head(404)
  response.setHeader('content-type', 'text/plain')
  response.end('This is a Pathmeter responder; it answers GET /v1/echo\n')
}

/** The node that the client says it is; its own claim, and worth no more. */
function claimedNode(request: IncomingMessage): string | undefined {
  const value = request.headers['pathmeter-from']
  return typeof value === 'string' && value !== '' && value.length <= 512 ? decodeName(value) : undefined
}

function parseTarget(url: string, prefix: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return {
    path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path,
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
  }
}

function debtOf(connection: ConnectionState, socket: Socket, now: Instant): Seconds {
  const bytes = socket.bytesRead + socket.bytesWritten
  const wait = connection.seat.spend(bytes - connection.spent, now)
  connection.spent = bytes
  return wait
}
