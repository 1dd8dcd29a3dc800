import type { Config } from '../../config/schema.ts'
import type { Seconds } from '../../model/duration.ts'
import type { KindName } from '../../model/facts.ts'
import type { ConnectionUse, Place } from '../../model/path.ts'
import { type FleetRates, fleetRates } from '../../plan/fleet-rates.ts'
import { ATTEMPTS_CAP, attemptRate } from '../../plan/rate.ts'
import { plannedVariants, rateOf } from '../../plan/timing.ts'
import { selfPlace, staticChecks } from '../../static-plan.ts'

/** One way of measuring, as an agent with this configuration would do it. */
export interface ProbeLine {
  readonly kind: KindName
  readonly connection: ConnectionUse
  readonly every: Seconds
  readonly limit: Seconds
  /** Checks to peers. */
  readonly checks: number
  /** Attempts per second to peers. */
  readonly rate: number
}

/** What a valid configuration comes to. */
export interface ConfigReport {
  readonly self: Place
  /** Peers that it lists. */
  readonly peers: number
  /** Nodes that would be probed from here. */
  readonly probed: readonly string[]
  readonly lines: readonly ProbeLine[]
  /** Attempts per second to peers, and to the agent itself over loopback. */
  readonly rate: number
  readonly loopbackRate: number
  /** Attempts per second that are allowed. */
  readonly cap: number
  readonly fleet?: { readonly nodes: number; readonly zones: number; readonly rates: FleetRates }
}

/** @param fleet its size, where it is asked for */
export function reportOn(
  config: Config,
  fleet?: { readonly nodes: number; readonly zones: number },
): ConfigReport {
  const { rate, ...sections } = config.probes
  const checks = staticChecks(config)
  const variants = plannedVariants(sections, rate)
  const lines = variants.map(({ kind, variant: { connection, every, limit } }) => {
    const those = checks.filter((check) => check.kind === kind && check.connection === connection)
    return { kind, connection, every, limit, checks: those.length, rate: attemptRate(those) }
  })
  const { perZone, rotating } = config.peers
  return {
    self: selfPlace(config),
    peers: config.peers.static.length,
    probed: [...new Set(checks.map(({ target }) => target.identity))],
    lines,
    rate: attemptRate(checks),
    loopbackRate: variants.reduce((sum, { variant }) => sum + rateOf(variant), 0),
    cap: ATTEMPTS_CAP,
    ...(fleet && { fleet: { ...fleet, rates: fleetRates({ ...fleet, perZone, rotating, sections, rate }) } }),
  }
}
