import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'

export interface ConnectionLimits {
  /** Connections in all. */
  readonly connections: number
  /** Per address; above the limit per source, because a gateway puts many nodes behind one address. */
  readonly perAddress: number
  /** Per source: an address and the node that it claims to be. */
  readonly perSource: number
  /** How long one connection may last. */
  readonly hold: Seconds
  /** Both directions together, per connection. */
  readonly bytesPerSecond: number
}

/** Which limit turned a connection away. */
export type Refusal = 'too_many_connections' | 'too_many_per_address' | 'too_many_per_source'

/** Counts the connections of all listeners, and says who may have one more. */
export class Admission {
  readonly #limits: ConnectionLimits
  readonly #clock: Clock
  readonly #seats = new Set<Seat>()
  readonly #perAddress = new Map<string, number>()
  readonly #perSource = new Map<string, number>()

  constructor(limits: ConnectionLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  get connections(): number {
    return this.#seats.size
  }

  /** @param evict ends the connection when it has been held for too long */
  admit(address: string, evict: () => void): Seat | Refusal {
    if (this.#seats.size >= this.#limits.connections) return 'too_many_connections'
    if ((this.#perAddress.get(address) ?? 0) >= this.#limits.perAddress) return 'too_many_per_address'
    if ((this.#perSource.get(address) ?? 0) >= this.#limits.perSource) return 'too_many_per_source'
    const seat = new Seat(address, this.#clock.now(), evict, this.#limits.bytesPerSecond)
    this.#seats.add(seat)
    count(this.#perAddress, address, 1)
    count(this.#perSource, seat.source, 1)
    return seat
  }

  /** The connection claims to be of a node. False: that source holds too many already. */
  claim(seat: Seat, node: string): boolean {
    const source = `${seat.address} ${node}`
    if (source === seat.source) return true
    if ((this.#perSource.get(source) ?? 0) >= this.#limits.perSource) return false
    count(this.#perSource, seat.source, -1)
    count(this.#perSource, source, 1)
    seat.source = source
    return true
  }

  release(seat: Seat): void {
    if (!this.#seats.delete(seat)) return
    count(this.#perAddress, seat.address, -1)
    count(this.#perSource, seat.source, -1)
  }

  /** Ends the connections that have been held for too long; returns how many. */
  evictOverdue(): number {
    const before = this.#clock.now() - this.#limits.hold
    const overdue = [...this.#seats].filter((seat) => seat.since < before)
    for (const seat of overdue) seat.evict()
    return overdue.length
  }

  evictAll(): void {
    for (const seat of [...this.#seats]) seat.evict()
  }
}

/** One admitted connection. */
export class Seat {
  readonly address: string
  readonly since: Instant
  readonly evict: () => void
  /** Key of what the limit per source counts: the address alone until a node is claimed. */
  source: string
  readonly #bytesPerSecond: number
  #allowance: number
  #at: Instant

  constructor(address: string, now: Instant, evict: () => void, bytesPerSecond: number) {
    this.address = address
    this.source = address
    this.since = now
    this.evict = evict
    this.#bytesPerSecond = bytesPerSecond
    // A second's worth at once: one full body does not have to wait.
    this.#allowance = bytesPerSecond
    this.#at = now
  }

  /** Takes bytes off the allowance and returns how long to wait until it is whole again; 0 within the rate. */
  spend(bytes: number, now: Instant): Seconds {
    const refilled = this.#allowance + (now - this.#at) * this.#bytesPerSecond
    this.#allowance = Math.min(this.#bytesPerSecond, refilled) - bytes
    this.#at = now
    return Math.max(0, -this.#allowance / this.#bytesPerSecond)
  }
}

function count(counts: Map<string, number>, key: string, by: number): void {
  const value = (counts.get(key) ?? 0) + by
  if (value > 0) counts.set(key, value)
  else counts.delete(key)
}
