import { echo } from '../../clients/frames.ts'
import { ACCEPT_WINDOW } from '../../model/classify.ts'
import type { TcpFacts } from '../../model/facts.ts'
import { abortable } from '../../net/abortable.ts'
import { type Connection, ConnectionLost } from '../../net/connection.ts'
import { defineKind } from '../kind.ts'
import { observeAttempt } from '../observe-attempt.ts'
import { tcpFamilies } from './facts.ts'
import type { TcpCheckOptions } from './options.ts'
import { tcpMount } from './respond.ts'

/**
 * New TCP connections: connect time by the user clock, round trip and SYN retransmissions by the kernel's.
 *
 * A responder must echo a nonce, and the connection is then reset, so that no TIME_WAIT piles up on either side
 * at a connection per second and peer. A foreign target gets no payload and an orderly close.
 */
export const tcp = defineKind<'tcp', TcpCheckOptions>({
  name: 'tcp',
  families: tcpFamilies,
  mount: tcpMount,
  create: ({ target, options }, io, emit) => ({
    runs: 'attempts',
    async attempt(signal) {
      const facts: { -readonly [K in keyof TcpFacts]: TcpFacts[K] } = {}
      const seen = await observeAttempt(io, 'tcp', facts, async (timer) => {
        using connection = await io.dialer.dial(target, timer, signal)
        if (connection.kernel !== undefined) facts.kernel = connection.kernel
        if (!options.echo) {
          timer.hold()
          await staysOpen(connection, signal)
          return
        }
        facts.farEnd = await echo(connection, { from: io.node, expect: target.expectNode, timer, signal })
        connection.reset()
      })
      if (seen !== undefined) emit(seen)
    },
    async [Symbol.asyncDispose]() {
      // Connections end with their attempts.
    },
  }),
})

/** Resolves once the other end has let the accept window pass without ending the connection. */
function staysOpen(connection: Connection, signal: AbortSignal): Promise<void> {
  const { stream } = connection
  return abortable(signal, (resolve, reject) => {
    const timer = setTimeout(resolve, ACCEPT_WINDOW * 1000)
    const onLost = (error?: Error) => reject(new ConnectionLost(connection, error))
    stream.on('end', onLost).on('error', onLost).resume()
    return () => {
      clearTimeout(timer)
      stream.off('end', onLost).off('error', onLost)
    }
  })
}
