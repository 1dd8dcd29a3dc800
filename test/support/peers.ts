import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket, type TlsOptions } from 'node:tls'
import { createFrameParser, type EchoFrame, encodeFrame } from '../../src/wire/echo-frame.ts'
import { nodeHash } from '../../src/wire/node-hash.ts'
import { PEER_NODE } from './checks.ts'

/** What a peer does with a connection; `nth` counts from 1. */
export type Script = (socket: Socket, nth: number) => void

export interface Peer extends AsyncDisposable {
  readonly port: number
  /** Connections so far. */
  readonly accepted: number
}

export interface PeerOptions {
  readonly tls?: TlsOptions
  readonly host?: string
}

/** A peer on loopback that follows the script, and closes nothing on its own. */
export async function startPeer(
  script: Script,
  { tls, host = '127.0.0.1' }: PeerOptions = {},
): Promise<Peer> {
  const sockets = new Set<Socket>()
  let accepted = 0
  const server = createServer({ allowHalfOpen: true }, (raw) => {
    accepted += 1
    sockets.add(raw)
    raw.once('close', () => sockets.delete(raw))
    // Probes reset their connections.
    raw.on('error', () => raw.destroy())
    if (tls === undefined) script(raw, accepted)
    else secure(raw, tls, (socket) => script(socket, accepted))
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject).listen(0, host, listening.resolve)
  await listening.promise
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** TLS sockets cannot be reset themselves. */
const rawOf = new WeakMap<Socket, Socket>()

function secure(raw: Socket, tls: TlsOptions, script: (socket: Socket) => void): void {
  const socket = new TLSSocket(raw, { ...tls, isServer: true })
  rawOf.set(socket, raw)
  // Handshakes that fail concern the prober.
  socket.on('error', () => raw.destroy())
  socket.once('secure', () => script(socket))
}

/** What follows after a script has said all it says. */
export type Then = 'fin' | 'rst' | 'silence'

/** Accepts, and after `ms` ends the connection, reading or not. */
export function ends(then: Then, ms = 0): Script {
  return (socket) => {
    socket.resume()
    if (ms === 0) finish(socket, then)
    else {
      const timer = setTimeout(() => finish(socket, then), ms)
      socket.once('close', () => clearTimeout(timer))
    }
  }
}

/** Accepts, reads, and never says a word. */
export const isSilent: Script = (socket) => {
  socket.resume()
}

/** Accepts and does not even read. */
export const doesNotRead: Script = (socket) => {
  socket.pause()
}

/** Sends `bytes` on accept, whatever is asked. */
export function greets(bytes: string | Uint8Array, then: Then = 'silence'): Script {
  return (socket) => {
    socket.resume()
    socket.write(bytes, () => finish(socket, then))
  }
}

/** Answers the first bytes that arrive with `bytes`. */
export function answers(bytes: string | Uint8Array, then: Then = 'silence'): Script {
  return (socket) => {
    socket.once('data', () => {
      socket.resume()
      socket.write(bytes, () => finish(socket, then))
    })
  }
}

/**
 * Answers the first bytes that arrive with `bytes`, and ends the connection once they have been read: an RST on
 * their heels could be seen together with them.
 */
export function answersAndThen(bytes: string, then: Then): Script {
  return (socket) => {
    socket.once('data', () => {
      socket.resume()
      socket.write(bytes, () => setTimeout(() => finish(socket, then), 30))
    })
  }
}

/** Answers the n-th read with the n-th answer, all on one connection. */
export function answersInTurn(...turns: readonly ((socket: Socket) => void)[]): Script {
  return (socket) => {
    let turn = 0
    socket.on('data', () => turns[turn++]?.(socket))
  }
}

/** Answers frames, as a responder does, with whatever `change` makes of the right answer. */
export function answersFrames(
  change: (reply: EchoFrame, request: EchoFrame) => EchoFrame | Uint8Array,
  then: Then = 'silence',
): Script {
  return (socket) =>
    onFrames(socket, (reply, request) => {
      const answer = change(reply, request)
      socket.write(answer instanceof Uint8Array ? answer : encodeFrame(answer), () => finish(socket, then))
    })
}

/** Takes each request that arrives, with the right reply to it. */
export function onFrames(socket: Socket, take: (reply: EchoFrame, request: EchoFrame) => void): void {
  const parser = createFrameParser()
  socket.on('data', (chunk: Buffer) => {
    const frames = parser.feed(chunk)
    if (typeof frames === 'string') throw new Error(`The probe sent a bad frame: ${frames}`)
    for (const request of frames) take(rightReply(request), request)
  })
}

function rightReply(request: EchoFrame): EchoFrame {
  return {
    ...request,
    reply: true,
    nodeHash: nodeHash(PEER_NODE),
    identity: { node: PEER_NODE, zone: 'zone-b', version: '1.2.3' },
  }
}

/** Fatal alert `protocol_version` (RFC 8446, 6.2): how a TLS server may answer what is no TLS. */
export const TLS_ALERT = Buffer.from([21, 3, 1, 0, 2, 2, 70])

/** Writes each byte in a segment of its own. */
export function writeInBytes(socket: Socket, bytes: Uint8Array): void {
  socket.setNoDelay(true)
  const rest = [...bytes]
  const next = () => {
    const byte = rest.shift()
    if (byte !== undefined) socket.write(Buffer.from([byte]), () => setImmediate(next))
  }
  next()
}

export function finish(socket: Socket, then: Then): void {
  if (then === 'fin') socket.end()
  if (then === 'rst') (rawOf.get(socket) ?? socket).resetAndDestroy()
}
