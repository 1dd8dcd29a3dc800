import type { AddressInfo, Server } from 'node:net'
import type { Mount } from '../kinds/kind.ts'
import type { Seconds } from '../model/duration.ts'
import type { AgentFamily, Collected, Collector } from '../model/family.ts'
import type { Protocol } from '../model/peer.ts'
import { Desk, type DeskOptions } from './desk.ts'
import { createHttpListener } from './http-listener.ts'
import { createTcpListener } from './tcp-listener.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

export interface ResponderOptions extends DeskOptions {
  readonly listen: Readonly<Record<Protocol, ListenAddress>>
  readonly prefix: string
  readonly mounts: readonly Mount[]
  /** How long the head of a request, or a frame, may take to arrive; default 10 s. */
  readonly arrival?: Seconds
}

/** A running responder: the other end of every probe. Disposing it closes all listeners and connections. */
export interface Responder extends AsyncDisposable, Collector {
  /** The ports that are bound, also where 0 was asked for. */
  readonly ports: Readonly<Record<Protocol, number>>
  /** From now on every answer says that this end is about to go. */
  drain(): void
  /** Nodes that probed this one in the last minute: names, or hashes of names. */
  probedBy(): readonly string[]
}

const DEFAULT_ARRIVAL: Seconds = 10
/** Time between two looks for connections that were held too long, at most. */
const EVICT_EVERY: Seconds = 10

/** @throws the listener's error (EADDRINUSE, EACCES) with the protocol and address; nothing is left open then */
export async function startResponder(options: ResponderOptions): Promise<Responder> {
  const desk = new Desk(options)
  const servers = createServers(options, desk)
  const close = async () => {
    await Promise.all(Object.values(servers).map((server) => closeServer(server, desk)))
  }
  try {
    for (const [protocol, server] of Object.entries(servers) as [Protocol, Server][]) {
      await listen(server, protocol, options.listen[protocol])
    }
  } catch (error) {
    await close()
    throw error
  }
  const evictor = setInterval(
    () => {
      desk.rejected('held_too_long', desk.admission.evictOverdue())
    },
    Math.min(EVICT_EVERY, options.limits.hold / 2) * 1000,
  )
  evictor.unref()

  return {
    ports: { http: portOf(servers.http), tcp: portOf(servers.tcp) },
    drain() {
      desk.draining = true
    },
    probedBy: () => desk.probers.current(desk.clock.now()),
    families: Object.values(responderFamilies),
    collect: () => collect(desk),
    async [Symbol.asyncDispose]() {
      clearInterval(evictor)
      await close()
    },
  }
}

/** What the responder shows of itself. */
export const responderFamilies = {
  requests: {
    name: 'responder_requests_total',
    help: 'Requests and frames that this responder answered.',
    type: 'counter',
    labels: ['protocol'],
  },
  rejects: {
    name: 'responder_rejects_total',
    help: 'Input and connections that this responder turned away.',
    type: 'counter',
    labels: ['reason'],
  },
  connections: {
    name: 'responder_connections',
    help: 'Connections that this responder holds open.',
    type: 'gauge',
    labels: [],
  },
  probers: {
    name: 'incoming_probers',
    help: 'Nodes that probed this one in the last minute.',
    type: 'gauge',
    labels: [],
  },
} satisfies Record<string, AgentFamily>

function collect(desk: Desk): readonly Collected[] {
  const byProtocol = (['http', 'tcp'] as const).map((protocol) => ({
    value: desk.requests.get(protocol) ?? 0,
    labels: { protocol },
  }))
  const byReason = [...desk.rejects].map(([reason, value]) => ({ value, labels: { reason } }))
  return [
    { family: responderFamilies.requests, samples: byProtocol },
    { family: responderFamilies.rejects, samples: byReason },
    { family: responderFamilies.connections, samples: [{ value: desk.admission.connections }] },
    {
      family: responderFamilies.probers,
      samples: [{ value: desk.probers.current(desk.clock.now()).length }],
    },
  ]
}

function createServers(options: ResponderOptions, desk: Desk): Record<Protocol, Server> {
  const http = options.mounts.filter((mount) => mount.protocol === 'http')
  const tcp = options.mounts.find((mount) => mount.protocol === 'tcp')
  const arrival = options.arrival ?? DEFAULT_ARRIVAL
  if (tcp === undefined) throw new Error('Cannot start the responder: no kind serves the tcp protocol')
  return {
    http: createHttpListener(http, desk, { prefix: options.prefix, hold: options.limits.hold, arrival }),
    tcp: createTcpListener(tcp, desk, arrival),
  }
}

function listen(server: Server, protocol: Protocol, { host, port }: ListenAddress): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) =>
    reject(new Error(`Cannot listen for ${protocol} on ${host}:${port}: ${error.message}`)),
  )
  server.listen({ host, port }, resolve)
  return promise
}

function closeServer(server: Server, desk: Desk): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    desk.admission.evictAll()
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
