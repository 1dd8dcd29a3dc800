import { createServer, type Server, type Socket } from 'node:net'
import type { Answering, Mount } from '../kinds/kind.ts'
import type { Desk } from './desk.ts'

/** Listens for the tcp protocol and hands each admitted connection to the mount. Does not bind yet. */
export function createTcpListener(mount: Extract<Mount, { protocol: 'tcp' }>, desk: Desk): Server {
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
    socket.on('data', (chunk: Buffer) => throttle(socket, seat.spend(2 * chunk.length, desk.clock.now())))
  })
}

function throttle(socket: Socket, seconds: number): void {
  if (seconds === 0) return
  socket.pause()
  const timer = setTimeout(() => socket.resume(), seconds * 1000)
  socket.once('close', () => clearTimeout(timer))
}
