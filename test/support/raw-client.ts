import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createFrameParser, type EchoFrame, encodeFrame } from '../../src/wire/echo-frame.ts'

export interface RawClient extends AsyncDisposable {
  readonly socket: Socket
  /** All that has arrived. */
  received(): Buffer
  /** Resolves when something that satisfies `enough` has arrived; rejects when the connection ends before. */
  until(enough: (received: Buffer) => boolean): Promise<Buffer>
  /** How the other end ended the connection, once it has. */
  readonly ended: Promise<'fin' | 'rst'>
}

/** A bare connection to loopback, for what no prober would do. */
export async function openRawClient(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  const ended = new Promise<'fin' | 'rst'>((resolve) => {
    socket.once('end', () => resolve('fin')).on('error', () => resolve('rst'))
  })
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    socket.emit('more')
  })
  return {
    socket,
    ended,
    received: () => received,
    async until(enough) {
      while (!enough(received)) {
        const how = await Promise.race([once(socket, 'more'), ended])
        if (typeof how === 'string' && !enough(received)) throw new Error(`Ended (${how}) after ${received}`)
      }
      return received
    },
    async [Symbol.asyncDispose]() {
      if (socket.closed) return
      socket.destroy()
      await once(socket, 'close')
    },
  }
}

/** Sends frames and waits for as many replies. */
export async function exchange(
  client: RawClient,
  ...requests: readonly EchoFrame[]
): Promise<readonly EchoFrame[]> {
  const before = framesIn(client.received()).length
  client.socket.write(Buffer.concat(requests.map(encodeFrame)))
  const received = await client.until((bytes) => framesIn(bytes).length >= before + requests.length)
  return framesIn(received).slice(before)
}

export function framesIn(bytes: Buffer): readonly EchoFrame[] {
  const frames = createFrameParser().feed(bytes)
  if (typeof frames === 'string') throw new Error(`The responder sent a bad frame: ${frames}`)
  return frames
}
