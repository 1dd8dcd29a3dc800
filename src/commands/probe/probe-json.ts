import { durationOf, flaggedBy, type Phases } from '../../model/observation.ts'
import type { PeerAddress } from '../../model/peer.ts'
import { PHASES } from '../../model/reason.ts'
import { timeJson } from '../../web/view-json.ts'
import type { ProbeAttempt, ProbeSummary } from './attempts.ts'
import type { ProbePlan } from './plan-probe.ts'

/** What a one-off probe came to. */
export interface ProbeResult {
  readonly plan: ProbePlan
  /** Empty where the name has none of the wanted family; the first is the one that was probed. */
  readonly addresses: readonly PeerAddress[]
  /** Why nothing could be measured. */
  readonly problem?: string
  readonly attempts: readonly ProbeAttempt[]
  readonly summary: ProbeSummary
}

/** The document of `probe --json`, version 1. What is not known is undefined here and absent in the JSON. */
export function probeJson({ plan, addresses, problem, attempts, summary }: ProbeResult): object {
  return {
    apiVersion: 'v1',
    probe: plan.kind,
    connection: plan.connection,
    target: plan.target,
    resolved: addresses.map(({ address }) => address),
    address: addresses[0]?.address,
    port: plan.parsed.port,
    problem,
    attempts: attempts.map(attemptJson),
    summary: {
      attempts: summary.attempts,
      ok: summary.ok,
      failed: summary.failed,
      flagged: summary.flagged,
      loss: summary.loss,
      p50_seconds: summary.p50,
      p99_seconds: summary.p99,
      max_seconds: summary.max,
      rtt_p50_seconds: summary.rttP50,
    },
  }
}

function attemptJson({ at, seen }: ProbeAttempt): object {
  const { failure, facts, phases } = seen
  return {
    at: timeJson(at),
    ok: failure === undefined,
    duration_seconds: durationOf(seen),
    phases_seconds: phasesJson(phases),
    rtt_seconds: facts.kernel?.rtt,
    syn_retransmits: facts.kernel?.synRetransmits,
    residence_seconds: facts.farEnd?.residence,
    node: facts.farEnd?.node,
    reason: failure?.reason,
    phase: failure?.phase,
    detail: failure?.detail,
    flagged: flaggedBy(seen),
  }
}

/** In the order in which they are gone through. */
function phasesJson(phases: Phases): object {
  return Object.fromEntries(PHASES.map((phase) => [phase, phases[phase]]))
}
