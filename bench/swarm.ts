/**
 * The other ends of a bench, in one process: responders that play peers, and probers that probe the measured agent as
 * those peers would. Started with an IPC channel; its parent tells it what to do.
 */
import { kinds } from '../src/kinds/index.ts'
import type { ProbeSections } from '../src/kinds/options.ts'
import type { Check, Sink } from '../src/model/check.ts'
import type { PeerPorts } from '../src/model/peer.ts'
import { systemClock as clock } from '../src/net/clock.ts'
import { createDialer } from '../src/net/dial.ts'
import { loadSocketOptions } from '../src/net/socket-options.ts'
import { Starvation } from '../src/net/starvation.ts'
import { checkId } from '../src/plan/check-id.ts'
import { plannedVariants } from '../src/plan/timing.ts'
import { startResponder } from '../src/respond/responder.ts'
import { Supervisor } from '../src/run/supervisor.ts'

/** To the swarm: how many peers to play, or whom to probe and how. */
export type ToSwarm =
  | { readonly do: 'respond'; readonly peers: number }
  | {
      readonly do: 'probe'
      readonly node: string
      readonly ports: PeerPorts
      readonly sections: ProbeSections
    }

/** From the swarm: the ports of its peers, in order. */
export interface FromSwarm {
  readonly ports: readonly PeerPorts[]
}

const ANY_PORT = { host: '127.0.0.1', port: 0 }
const LIMITS = { connections: 2000, perAddress: 1000, perSource: 200, hold: 7200, bytesPerSecond: 8_388_608 }
const starvation = new Starvation(clock)
const dialer = createDialer(clock, await loadSocketOptions())
let played = 0

const silent: Sink = { begin: nothing, record: nothing, skipped: nothing, forget: nothing }

process.on('message', (message: ToSwarm) => {
  void (message.do === 'respond' ? respond(message.peers) : probe(message))
})
process.once('disconnect', () => process.exit(0))

async function respond(peers: number): Promise<void> {
  const responders = await Promise.all(
    Array.from({ length: peers }, (_, index) =>
      startResponder({
        place: { node: peerName(index), zone: 'bench' },
        version: 'bench',
        limits: LIMITS,
        listen: { http: ANY_PORT, tcp: ANY_PORT },
        prefix: '/pathmeter',
        mounts: Object.values(kinds).flatMap(({ mount }) => mount ?? []),
        clock,
        starvation,
      }),
    ),
  )
  played = peers
  process.send?.({ ports: responders.map(({ ports }) => ports) } satisfies FromSwarm)
}

async function probe({ node, ports, sections }: Extract<ToSwarm, { do: 'probe' }>): Promise<void> {
  for (let index = 0; index < played; index++) {
    const io = { clock, starvation, dialer, node: peerName(index) }
    const supervisor = new Supervisor({ kinds, io, sink: silent, onFault: console.error })
    await supervisor.reconcile(checksTo(node, ports, sections))
  }
}

function checksTo(node: string, ports: PeerPorts, sections: ProbeSections): Check[] {
  return plannedVariants(sections, 'normal').flatMap(({ kind, variant }) => {
    const target = {
      identity: node,
      zone: 'bench',
      boundary: 'same_zone' as const,
      via: 'pod' as const,
      address: '127.0.0.1',
      port: ports[kind] ?? 0,
      family: 4 as const,
      expectNode: node,
      rotating: false,
    }
    return [{ ...variant, kind, target, id: checkId({ target, kind, ...variant }) }]
  })
}

function peerName(index: number): string {
  return `peer-${index}`
}

function nothing(): void {
  return
}
