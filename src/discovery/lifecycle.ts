import type { Check, Sink } from '../model/check.ts'
import type { Clock, Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import type { Observation } from '../model/observation.ts'
import { OWN_REASONS } from '../model/reason.ts'
import type { PeerState } from '../model/view.ts'

/**
 * How long a peer may be leaving after it last said so: the grace period of a pod and a margin. One that is still
 * known then did not go, and its failures are its own again.
 */
const LEAVING_AT_MOST: Seconds = 60

/**
 * What is known of one peer from its own answers:
 * - `active`: its last answer did not announce an end, or there was none yet;
 * - `leaving`: it announced that it is draining; failures are expected;
 * - `suspect`: it announced that and is still known, long after.
 */
type Life =
  | { readonly state: 'active' }
  | { readonly state: 'leaving'; readonly since: Instant }
  | { readonly state: 'suspect' }

const ACTIVE: Life = { state: 'active' }

/** The life of a peer after an answer of its, or after time has passed. Pure. */
export function nextLife(life: Life, now: Instant, draining?: boolean): Life {
  if (draining === true) return { state: 'leaving', since: now }
  if (draining === false) return ACTIVE
  return life.state === 'leaving' && now - life.since > LEAVING_AT_MOST ? { state: 'suspect' } : life
}

/** Learns from answers which peers are about to go, and lets their failures count as `draining`. */
export class Lifecycle {
  readonly #clock: Clock
  readonly #lives = new Map<string, Life>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  stateOf(node: string): PeerState {
    return this.#next(node).state
  }

  /** Peers that are no longer known need no memory. */
  keepOnly(nodes: ReadonlySet<string>): void {
    for (const node of this.#lives.keys()) if (!nodes.has(node)) this.#lives.delete(node)
  }

  /** A sink before `sink`, which names the failures of a leaving peer. */
  before(sink: Sink): Sink {
    return {
      begin: (check) => sink.begin(check),
      record: (check, observation) => sink.record(check, this.#learn(check, observation)),
      skipped: (check) => sink.skipped(check),
      forget: (check) => sink.forget(check),
    }
  }

  #learn(check: Check, observation: Observation): Observation {
    const node = check.target.expectNode
    if (node === undefined) return observation
    const { failure, facts } = observation
    // Another node that answers in its place says nothing of it.
    const life = this.#next(node, facts.farEnd?.node === node ? facts.farEnd.draining : undefined)
    if (failure === undefined || life.state !== 'leaving' || OWN_REASONS.has(failure.reason))
      return observation
    const detail = `${node} is draining (${failure.reason}: ${failure.detail})`
    return { ...observation, failure: { ...failure, reason: 'draining', detail } }
  }

  #next(node: string, draining?: boolean): Life {
    const life = nextLife(this.#lives.get(node) ?? ACTIVE, this.#clock.now(), draining)
    if (life.state === 'active') this.#lives.delete(node)
    else this.#lives.set(node, life)
    return life
  }
}
