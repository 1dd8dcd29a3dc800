import type { Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'

/** What is kept of one slot: `own_failure` failed for a reason that lies with this agent. */
export const RESULTS = ['ok', 'failed', 'skipped', 'own_failure'] as const

export type Result = (typeof RESULTS)[number]

export interface Slot {
  /** When it was known. */
  readonly at: Instant
  readonly result: Result
  readonly flagged: boolean
  /** 0 for a skipped slot. */
  readonly duration: Seconds
  /** Kernel clock; absent where it was not clean. */
  readonly rtt?: Seconds | undefined
}

/** Time, duration and round trip as doubles, and a byte for result and flag. */
export const BYTES_PER_SLOT = 3 * 8 + 1

const INITIAL_CAPACITY = 64
const FLAGGED = 0x80

/** The newest slots of one check in typed arrays, which grow up to a limit that may change. */
export class AttemptRing {
  #limit: number
  #at: Float64Array
  #duration: Float64Array
  #rtt: Float64Array
  #code: Uint8Array
  #oldest = 0
  #length = 0

  /** @param limit most slots held, at least 1 */
  constructor(limit: number) {
    this.#limit = limit
    const capacity = Math.min(INITIAL_CAPACITY, limit)
    this.#at = new Float64Array(capacity)
    this.#duration = new Float64Array(capacity)
    this.#rtt = new Float64Array(capacity)
    this.#code = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#at.length * BYTES_PER_SLOT
  }

  get limit(): number {
    return this.#limit
  }

  /** A smaller limit drops the oldest slots. */
  set limit(limit: number) {
    this.#limit = limit
    if (limit < this.#at.length) this.#resize(limit)
  }

  push({ at, result, flagged, duration, rtt = Number.NaN }: Slot): void {
    if (this.#length === this.#at.length) this.#makeRoom()
    const i = (this.#oldest + this.#length) % this.#at.length
    this.#at[i] = at
    this.#duration[i] = duration
    this.#rtt[i] = rtt
    this.#code[i] = RESULTS.indexOf(result) | (flagged ? FLAGGED : 0)
    this.#length++
  }

  /** From the newest back to the first that was known before `since`. */
  *backTo(since: Instant): Iterable<Slot> {
    for (let age = 1; age <= this.#length; age++) {
      const slot = this.#slot((this.#oldest + this.#length - age) % this.#at.length)
      if (slot.at < since) return
      yield slot
    }
  }

  #slot(i: number): Slot {
    const code = this.#code[i] ?? 0
    const rtt = this.#rtt[i] ?? Number.NaN
    return {
      at: this.#at[i] ?? 0,
      result: RESULTS[code & ~FLAGGED] ?? 'ok',
      flagged: (code & FLAGGED) !== 0,
      duration: this.#duration[i] ?? 0,
      rtt: Number.isNaN(rtt) ? undefined : rtt,
    }
  }

  #makeRoom(): void {
    const capacity = this.#at.length
    if (capacity < this.#limit) {
      this.#resize(Math.min(2 * capacity, this.#limit))
    } else {
      this.#oldest = (this.#oldest + 1) % capacity
      this.#length--
    }
  }

  #resize(capacity: number): void {
    const kept = Math.min(this.#length, capacity)
    const first = this.#oldest + this.#length - kept
    const size = this.#at.length
    const order = Array.from({ length: kept }, (_, i) => (first + i) % size)
    this.#at = moved(this.#at, order, new Float64Array(capacity))
    this.#duration = moved(this.#duration, order, new Float64Array(capacity))
    this.#rtt = moved(this.#rtt, order, new Float64Array(capacity))
    this.#code = moved(this.#code, order, new Uint8Array(capacity))
    this.#oldest = 0
    this.#length = kept
  }
}

function moved<A extends Float64Array | Uint8Array>(from: A, order: readonly number[], to: A): A {
  for (const [i, slot] of order.entries()) to[i] = from[slot] ?? 0
  return to
}
