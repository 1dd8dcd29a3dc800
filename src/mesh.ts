import { isIP } from 'node:net'
import type { Config } from './config/schema.ts'
import type { Lifecycle } from './discovery/lifecycle.ts'
import type { PeerSummary } from './discovery/peer-collector.ts'
import { UNKNOWN_ZONE } from './discovery/topology.ts'
import type { Check } from './model/check.ts'
import type { Clock } from './model/clock.ts'
import type { Seconds } from './model/duration.ts'
import type { Place } from './model/path.ts'
import type { PeerPorts } from './model/peer.ts'
import { type PlannedPeer, planChecks } from './plan/checks.ts'
import { type LocatedPeer, type PeersPlan, planPeers, viewPeers } from './plan/peers.ts'
import { stretchToCap } from './plan/rate.ts'
import { rotationEpoch } from './plan/rotate.ts'
import type { Supervisor } from './run/supervisor.ts'
import { locateStaticPeers } from './static-plan.ts'

/** Time between two looks whether the rotating peer is due for a change, in milliseconds. */
const ROTATE_EVERY_MS = 10_000

export interface MeshOptions {
  readonly self: Place
  readonly supervisor: Supervisor
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  /** Where the agent's own responder listens, for the loopback checks. */
  readonly loopback: { readonly host: string; readonly ports: PeerPorts }
  /** Intervals had to be stretched by this factor, or need not any more (1). */
  onStretch(factor: number): void
  /** Nothing tells the zone of these nodes. Each is named once. */
  onUnknownZone(nodes: readonly string[]): void
  onFault(error: unknown): void
}

/** Keeps what runs in line with the configuration, the peers there are, and the time. */
export class Mesh implements Disposable {
  readonly #options: MeshOptions
  readonly #rotation: NodeJS.Timeout
  #config: Config
  #peers: readonly LocatedPeer[] = []
  #plan: PeersPlan = { planned: [], why: new Map() }
  #epoch = 0
  #stretch = 1
  #updatedAt: Seconds = 0
  readonly #saidUnknown = new Set<string>()

  constructor(config: Config, options: MeshOptions) {
    this.#config = config
    this.#options = options
    this.#rotation = setInterval(() => this.#rotate(), ROTATE_EVERY_MS)
    this.#rotation.unref()
  }

  /** Plans anew from this configuration, and starts and stops what differs. */
  async apply(config: Config): Promise<void> {
    const { self, lifecycle, clock } = this.#options
    this.#config = config
    this.#peers = locateStaticPeers(config, self)
    this.#updatedAt = clock.wall()
    this.#sayUnknownZones()
    lifecycle.keepOnly(new Set(this.#peers.map(({ peer }) => peer.node)))
    await this.#replan()
  }

  summary(): PeerSummary {
    return {
      peers: viewPeers(this.#peers, this.#plan, (node) => this.#options.lifecycle.stateOf(node)),
      updatedAt: this.#updatedAt,
      stretch: this.#stretch,
    }
  }

  /** The checks to any known peer, whether it is probed by schedule or not; undefined for a stranger. */
  checksTo(node: string): readonly Check[] | undefined {
    const located = this.#peers.find(({ peer }) => peer.node === node)
    return located && this.#checks([{ ...located, rotating: false }], false)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#rotation)
  }

  #sayUnknownZones(): void {
    const places = [this.#options.self, ...this.#peers.map(({ place }) => place)]
    const nodes = places
      .filter(({ node, zone }) => zone === UNKNOWN_ZONE && !this.#saidUnknown.has(node))
      .map(({ node }) => node)
    for (const node of nodes) this.#saidUnknown.add(node)
    if (nodes.length > 0) this.#options.onUnknownZone(nodes)
  }

  #rotate(): void {
    if (rotationEpoch(this.#options.clock.wall()) === this.#epoch) return
    this.#replan().catch(this.#options.onFault)
  }

  async #replan(): Promise<void> {
    const { self, supervisor, clock, onStretch } = this.#options
    const { perZone, rotating } = this.#config.peers
    this.#epoch = rotationEpoch(clock.wall())
    this.#plan = planPeers(self, this.#peers, { perZone, rotating, epoch: this.#epoch })
    const { checks, factor } = stretchToCap(this.#checks(this.#plan.planned, true))
    if (factor !== this.#stretch) onStretch(factor)
    this.#stretch = factor
    await supervisor.reconcile(checks)
  }

  #checks(peers: readonly PlannedPeer[], withLoopback: boolean): readonly Check[] {
    const { self, loopback } = this.#options
    const { rate, ...sections } = this.#config.probes
    const address = loopbackAddress(loopback.host)
    return planChecks({
      self,
      peers,
      sections,
      rate,
      loopback: withLoopback ? { address, ports: loopback.ports } : undefined,
    })
  }
}

/** Where to reach a listener on `host` from the same machine. */
function loopbackAddress(host: string): { readonly address: string; readonly family: 4 | 6 } {
  if (host === '' || host === '0.0.0.0' || host === '::') return { address: '127.0.0.1', family: 4 }
  return { address: host, family: isIP(host) === 6 ? 6 : 4 }
}
