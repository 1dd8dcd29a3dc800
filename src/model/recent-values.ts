import type { Instant } from './clock.ts'
import type { Seconds } from './duration.ts'

const INITIAL_CAPACITY = 16

/** The values of the last `span` seconds, the newest `limit` of them at most: 16 bytes each, in a ring that grows when it must. */
export class RecentValues {
  readonly #span: Seconds
  readonly #limit: number
  #times: Float64Array
  #values: Float64Array
  #oldest = 0
  #length = 0

  /** @param limit most values held, 4096 by default: 68 a second over a minute */
  constructor(span: Seconds, limit = 4096) {
    this.#span = span
    this.#limit = limit
    const capacity = Math.min(INITIAL_CAPACITY, limit)
    this.#times = new Float64Array(capacity)
    this.#values = new Float64Array(capacity)
  }

  add(now: Instant, value: number): void {
    if (this.#length === this.#times.length) this.#makeRoom(now)
    const slot = (this.#oldest + this.#length) % this.#times.length
    this.#times[slot] = now
    this.#values[slot] = value
    this.#length++
  }

  /** Ascending. A value is in as long as it is at most `span` old. */
  sorted(now: Instant): Float64Array {
    const kept = new Float64Array(this.#length)
    let count = 0
    for (let i = 0; i < this.#length; i++) {
      const slot = (this.#oldest + i) % this.#times.length
      if (now - (this.#times[slot] ?? 0) <= this.#span) kept[count++] = this.#values[slot] ?? 0
    }
    return kept.subarray(0, count).sort()
  }

  #makeRoom(now: Instant): void {
    const capacity = this.#times.length
    while (this.#length > 0 && now - (this.#times[this.#oldest] ?? 0) > this.#span) this.#dropOldest()
    // A ring that is still nearly full would be searched again at the next value.
    if (this.#length <= capacity / 2) return
    if (capacity < this.#limit) this.#grow(Math.min(2 * capacity, this.#limit))
    else if (this.#length === capacity) this.#dropOldest()
  }

  #dropOldest(): void {
    this.#oldest = (this.#oldest + 1) % this.#times.length
    this.#length--
  }

  #grow(capacity: number): void {
    this.#times = unrolled(this.#times, this.#oldest, capacity)
    this.#values = unrolled(this.#values, this.#oldest, capacity)
    this.#oldest = 0
  }
}

function unrolled(ring: Float64Array, oldest: number, capacity: number): Float64Array {
  const straight = new Float64Array(capacity)
  straight.set(ring.subarray(oldest))
  straight.set(ring.subarray(0, oldest), ring.length - oldest)
  return straight
}
