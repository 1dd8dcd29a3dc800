import { createServer, type Server, type Socket } from 'node:net'
import type { Answering, Mount } from '../kinds/kind.ts'
import type { Seconds } from '../model/duration.ts'
import type { Desk } from './desk.ts'

/**
 * Listens for the tcp protocol and hands each admitted connection to the mount. Does not bind yet.
 *
 * @param arrival how long a frame may take to arrive whole
 */
export function createTcpListener(
  mount: Extract<Mount, { protocol: 'tcp' }>,
  desk: Desk,
  arrival: Seconds,
): Server {
  return createServer({ noDelay: true }, (socket) => {
    const seat = desk.admission.admit(socket.remoteAddress ?? '', () => socket.destroy())
    if (typeof seat === 'string') {
      desk.rejected(seat)
      socket.destroy()
      return
    }
    socket.once('close', () => desk.admission.release(seat))
    // A prober resets its connection when it is done.
    socket.on('error', () => socket.destroy())

    const reject = (reason: string) => {
      desk.rejected(reason)
      socket.destroy()
    }
    const answering: Answering = {
      clock: desk.clock,
      arrival,
      reject,
      farEnd(receivedAt) {
        desk.served('tcp')
        return desk.farEnd(receivedAt)
      },
      claim(hash) {
        const admitted = desk.claim(seat, hash)
        if (!admitted) reject('too_many_per_source')
        return admitted
      },
    }
    mount.serve(socket, answering)
    // What comes in goes out again.
    pace(socket, (bytes) => seat.spend(2 * bytes, desk.clock.now()))
  })
}

/** Lets a sender wait for its rate, and until it has taken its answers: they must not pile up in our memory. */
function pace(socket: Socket, waitFor: (bytes: number) => Seconds): void {
  let timer: NodeJS.Timeout | undefined
  const proceed = () => {
    if (socket.writableNeedDrain) socket.once('drain', proceed)
    else socket.resume()
  }
  socket.once('close', () => clearTimeout(timer))
  socket.on('data', (chunk: Buffer) => {
    const wait = waitFor(chunk.length)
    if (wait === 0 && !socket.writableNeedDrain) return
    socket.pause()
    timer = setTimeout(proceed, wait * 1000)
  })
}
