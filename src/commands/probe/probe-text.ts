import { formatDuration, type Seconds } from '../../model/duration.ts'
import { formatHostPort } from '../../model/host-port.ts'
import type { PeerAddress } from '../../model/peer.ts'
import { briefDuration } from '../brief-duration.ts'
import type { ProbeSummary } from './attempts.ts'
import type { ProbePlan } from './plan-probe.ts'

/** What is going to happen, for people. */
export function headlines(
  plan: ProbePlan,
  addresses: readonly [PeerAddress, ...PeerAddress[]],
): readonly string[] {
  const { kind, connection, parsed, count, interval, limit } = plan
  const [{ address }] = addresses
  const times = count === 1 ? 'one attempt' : `${count} attempts, ${briefDuration(interval)} apart`
  const way =
    connection === 'reused' ? 'on one kept connection' : `on a new connection${count === 1 ? '' : ' each'}`
  const lines = [
    `${kind} to ${formatHostPort(address, parsed.port)}: ${times}, ${way}`,
    `each ${parsed.does}, within ${briefDuration(limit)}; times in ms`,
  ]
  if (parsed.host === address) return lines
  return [`${parsed.host} is ${addresses.map((each) => each.address).join(', ')}`, ...lines]
}

/** The last lines, for people. */
export function summaryText({ attempts, ok, failed, flagged, ...times }: ProbeSummary): string {
  if (attempts === 0) return 'nothing was measured'
  const parts = [
    ...named('p50', times.p50),
    ...named('p99', times.p99),
    ...named('max', times.max),
    ...named('kernel RTT p50', times.rttP50),
  ]
  const spoilt = flagged === 0 ? '' : `\n${flagged} marked * left out: an end was short of CPU`
  return `${ok} ok, ${failed} failed${parts.length > 0 ? `: ${parts.join(', ')}` : ''}${spoilt}`
}

function named(name: string, seconds: Seconds | undefined): readonly string[] {
  return seconds === undefined ? [] : [`${name} ${formatDuration(seconds)}`]
}
