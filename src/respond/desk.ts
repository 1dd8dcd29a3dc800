import type { Clock, Instant } from '../model/clock.ts'
import type { FarEnd } from '../model/facts.ts'
import type { Place } from '../model/path.ts'
import type { Protocol } from '../model/peer.ts'
import type { Starvation } from '../net/starvation.ts'
import { Admission, type ConnectionLimits, type Seat } from './admission.ts'
import { Probers } from './probers.ts'

export interface DeskOptions {
  readonly place: Place
  readonly version: string
  readonly limits: ConnectionLimits
  readonly clock: Clock
  readonly starvation: Starvation
}

/** What all listeners of a responder share: who we are, who may come in, and the count of what happened. */
export class Desk {
  readonly clock: Clock
  readonly admission: Admission
  readonly requests = new Map<Protocol, number>()
  readonly rejects = new Map<string, number>()
  readonly probers = new Probers()
  readonly #options: DeskOptions
  draining = false

  constructor(options: DeskOptions) {
    this.#options = options
    this.clock = options.clock
    this.admission = new Admission(options.limits, options.clock)
  }

  farEnd(receivedAt: Instant): FarEnd {
    const { place, version, clock, starvation } = this.#options
    return {
      node: place.node,
      zone: place.zone,
      version,
      draining: this.draining,
      ...starvation.current(receivedAt),
      residence: clock.now() - receivedAt,
    }
  }

  served(protocol: Protocol): void {
    this.requests.set(protocol, (this.requests.get(protocol) ?? 0) + 1)
  }

  rejected(reason: string, times = 1): void {
    if (times > 0) this.rejects.set(reason, (this.rejects.get(reason) ?? 0) + times)
  }

  /** A prober named itself, by hash and where there is room for it by name. False: its source holds too many connections. */
  claim(seat: Seat, hash: string, name?: string): boolean {
    this.probers.saw(hash, name, this.clock.now())
    return this.admission.claim(seat, hash)
  }
}
