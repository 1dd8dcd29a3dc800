import { hostname } from 'node:os'
import { identify } from '../../config/identity.ts'
import type { Io } from '../../kinds/kind.ts'
import { systemClock } from '../../net/clock.ts'
import { createDialer } from '../../net/dial.ts'
import { loadSocketOptions } from '../../net/socket-options.ts'
import { Starvation } from '../../net/starvation.ts'

/** The living things of probers outside an agent. */
export interface OpenIo extends Disposable {
  readonly io: Io
  /** Why there is no kernel clock, where there is none. */
  readonly withoutKernelClock: string | undefined
}

/** Real sockets and clocks, under the name that an agent on this machine would have. */
export async function openIo(): Promise<OpenIo> {
  const socketOptions = await loadSocketOptions()
  const starvation = new Starvation(systemClock)
  const dialer = createDialer(systemClock, socketOptions)
  return {
    io: { clock: systemClock, starvation, dialer, node: ownName() },
    withoutKernelClock: socketOptions.clock === 'user' ? socketOptions.why : undefined,
    [Symbol.dispose]: () => starvation[Symbol.dispose](),
  }
}

/** A responder wants a name; one that is no valid node name is as good as none. */
function ownName(): string {
  const environment = { variables: process.env, hostname: hostname() }
  return identify({}, environment, () => undefined)?.name ?? 'unnamed'
}
