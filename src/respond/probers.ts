import type { Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'

/** How long a prober counts after its last probe. */
const REMEMBERED: Seconds = 60
/** Names are the probers' own claims: more than this many are not kept. */
const MOST = 10_000

/** Who probes this node, by their own account. */
export class Probers {
  readonly #seen = new Map<string, { readonly at: Instant; readonly name: string | undefined }>()

  /** @param name as the protocols with room for it give it; the hash is what ties them together */
  saw(hash: string, name: string | undefined, now: Instant): void {
    const known = this.#seen.get(hash)
    this.#seen.delete(hash)
    this.#seen.set(hash, { at: now, name: name ?? known?.name })
    if (this.#seen.size > MOST) this.#forget(now)
  }

  /** Those of the last minute: names, or hashes where none was given. */
  current(now: Instant): readonly string[] {
    this.#forget(now)
    return Array.from(this.#seen, ([hash, { name }]) => name ?? hash).sort()
  }

  // The map is in the order of the last probe.
  #forget(now: Instant): void {
    for (const [hash, { at }] of this.#seen) {
      if (now - at <= REMEMBERED && this.#seen.size <= MOST) return
      this.#seen.delete(hash)
    }
  }
}
