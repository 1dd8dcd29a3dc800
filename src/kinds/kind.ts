import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Check } from '../model/check.ts'
import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { FarEnd, KindName } from '../model/facts.ts'
import type { PathFamily } from '../model/family.ts'
import type { Observation } from '../model/observation.ts'
import type { Dialer } from '../net/dial.ts'
import type { Starvation } from '../net/starvation.ts'

/** The living things a prober works with. */
export interface Io {
  readonly clock: Clock
  readonly starvation: Starvation
  readonly dialer: Dialer
  /** Node name that this agent claims towards responders. */
  readonly node: string
}

export type Emit<K extends KindName> = (observation: Observation<K>) => void

/** A live prober of one check. It owns its kept connection; disposing it closes everything. */
export interface Prober extends AsyncDisposable {
  readonly runs: 'attempts'
  /**
   * One attempt. Emits what it saw, and nothing when `signal` is aborted with `Cancelled`.
   * Never throws for what the network or a peer does.
   */
  attempt(signal: AbortSignal): Promise<void>
}

/** What a connection of the tcp listener gets from the responder: everything that all protocols share. */
export interface Answering {
  readonly clock: Clock
  /** What an answer to something received at `receivedAt` says of this end. */
  farEnd(receivedAt: Instant): FarEnd
  /** How long a frame that has begun may take to arrive whole. */
  readonly arrival: Seconds
  /** The prober named itself by its hash. False: its source holds too many connections, and this one is closed. */
  claim(nodeHash: string): boolean
  /** Counts input that costs its sender the connection, and closes it. */
  reject(reason: string): void
}

/** One request on the http listener. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
  /** Sets the status, and the headers by which every answer says who gives it and how busy it is: last thing before the body. */
  head(status: number): void
  /** Counts input that costs its sender the connection, and closes it. */
  reject(reason: string): void
}

/**
 * An end of a kind's own on the tcp listener, or routes of it (`METHOD /path`) on the http listener. How fast the
 * other side may send, and that it takes its answers, is the listeners' care.
 */
export type Mount =
  | { readonly protocol: 'tcp'; serve(socket: Socket, answering: Answering): void }
  | { readonly protocol: 'http'; readonly routes: Readonly<Record<string, (exchange: HttpExchange) => void>> }

/** What a kind's folder declares. `O` are the options of its checks. */
export interface KindDefinition<K extends KindName, O> {
  readonly name: K
  readonly families: readonly PathFamily<Observation<K>>[]
  create(check: Check<O>, io: Io, emit: Emit<K>): Prober
  readonly mount?: Mount
}

/** A kind as the rest of the program sees it, with its options' and observations' types erased. */
export interface Kind {
  readonly name: KindName
  readonly families: readonly PathFamily<Observation>[]
  bind(check: Check, io: Io, emit: (observation: Observation) => void): Prober
  readonly mount?: Mount
}

/**
 * Types a kind inside and erases it outside. A table of `Kind<unknown>` would accept wrong options by the
 * bivariance of methods; here the one cast stands where name and options are seen together.
 */
export function defineKind<K extends KindName, O>(definition: KindDefinition<K, O>): Kind {
  const { name, families, create, mount } = definition
  return {
    name,
    families: families as readonly PathFamily<Observation>[],
    bind: (check, io, emit) => create(check as Check<O>, io, emit),
    ...(mount === undefined ? {} : { mount }),
  }
}
