import type { Socket } from 'node:net'
import { createFrameParser, encodeFrame } from '../../wire/echo-frame.ts'
import { nodeHash } from '../../wire/node-hash.ts'
import type { Answering, Mount } from '../kind.ts'

/** The other end of tcp: answers echo frames, several per connection, and says once who it is. */
export const tcpMount: Mount = { protocol: 'tcp', serve }

function serve(socket: Socket, answering: Answering): void {
  const parser = createFrameParser()
  let introduced = false
  let overdue: NodeJS.Timeout | undefined
  socket.once('close', () => clearTimeout(overdue))
  socket.on('data', (chunk: Buffer) => {
    const receivedAt = answering.clock.now()
    const frames = parser.feed(chunk)
    if (typeof frames === 'string') {
      answering.reject(frames)
      return
    }
    if (frames.length > 0) {
      clearTimeout(overdue)
      overdue = undefined
    }
    if (parser.pending > 0)
      overdue ??= setTimeout(() => answering.reject('slow_frame'), answering.arrival * 1000)
    for (const frame of frames) {
      if (frame.reply) {
        answering.reject('reply_as_request')
        return
      }
      if (!answering.claim(frame.nodeHash)) return
      if (frame.verb === 'bye') {
        socket.end()
        return
      }
      const { node, zone, version, ...state } = answering.farEnd(receivedAt)
      const identity = { node, ...(zone && { zone }), ...(version && { version }) }
      socket.write(
        encodeFrame({
          ...frame,
          ...state,
          reply: true,
          nodeHash: nodeHash(node),
          ...(introduced ? {} : { identity }),
        }),
      )
      introduced = true
    }
  })
}
