import type { IpFamily } from './path.ts'

/** Protocols a responder listens for, and the keys of a peer's ports. */
export type Protocol = 'http' | 'tcp'

export type PeerPorts = Readonly<Partial<Record<Protocol, number>>>

export interface PeerAddress {
  /** IP literal. */
  readonly address: string
  readonly family: IpFamily
}

/** A node with a responder, as discovery knows it. */
export interface Peer {
  readonly node: string
  /** As its source says; sites and the `unknown` zone are applied later (discovery/topology.ts). */
  readonly zone?: string | undefined
  /** One per family at most. */
  readonly addresses: readonly PeerAddress[]
  readonly ports: PeerPorts
  readonly source: 'static' | 'kubernetes'
}
