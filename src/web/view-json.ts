import type { Seconds } from '../model/duration.ts'
import type { Place } from '../model/path.ts'
import { PHASES } from '../model/reason.ts'
import type { Outcome, PathView, PeersView, ProbeRow, WindowView } from '../model/view.ts'
import { isStale } from './staleness.ts'

/*
 * Views as version 1 of the API writes them: snake_case, durations in seconds, times RFC 3339.
 * What is not known is undefined here and absent in the JSON.
 */

/** The fields that every answer starts with. */
export function envelopeJson(self: Place, at: Seconds): object {
  return { apiVersion: 'v1', at: timeJson(at), self: placeJson(self) }
}

export function pathJson(path: PathView, self: Place, now: Seconds): object {
  const { check } = path
  return {
    id: check.id,
    src: self.node,
    src_zone: self.zone,
    ...checkJson(check),
    every_seconds: check.every,
    limit_seconds: check.limit,
    state: path.state,
    since: timeJson(path.since),
    stale: isStale(path, now),
    last: path.last && outcomeJson(path.last),
    last_failure: path.lastFailure && outcomeJson(path.lastFailure),
    window: windowJson(path.window),
  }
}

export function peersJson(view: PeersView): object {
  return {
    updated_at: timeJson(view.updatedAt),
    peers: view.peers.map((peer) => ({
      node: peer.node,
      zone: peer.zone,
      site: peer.site,
      boundary: peer.boundary,
      addresses: peer.addresses,
      source: peer.source,
      state: peer.state,
      chosen: peer.chosen,
      why: peer.why,
    })),
    probed_by: view.probedBy,
  }
}

export function probeRowJson(row: ProbeRow, lastHour: WindowView | undefined): object {
  return {
    ...checkJson(row.check),
    result: row.outcome.failure === undefined ? 'ok' : 'failed',
    ...outcomeJson(row.outcome),
    residence_seconds: row.residence,
    answered_by: row.answeredBy && {
      node: row.answeredBy.node,
      zone: row.answeredBy.zone,
      version: row.answeredBy.version,
    },
    last_hour: lastHour && windowJson(lastHour),
  }
}

/** RFC 3339 in UTC with milliseconds. */
export function timeJson(epochSeconds: Seconds): string {
  return new Date(epochSeconds * 1000).toISOString()
}

function placeJson(place: Place): object {
  return { node: place.node, zone: place.zone, site: place.site }
}

function checkJson({ target, kind, connection }: PathView['check']): object {
  return {
    dst: target.identity,
    dst_zone: target.zone,
    boundary: target.boundary,
    via: target.via,
    probe: kind,
    connection,
    ip_family: target.family,
    address: target.address,
    port: target.port,
  }
}

function outcomeJson(outcome: Outcome): object {
  const phases: Record<string, Seconds> = {}
  for (const phase of PHASES) {
    const seconds = outcome.phases[phase]
    if (seconds !== undefined) phases[phase] = seconds
  }
  return {
    at: timeJson(outcome.at),
    duration_seconds: outcome.duration,
    phase_seconds: phases,
    rtt_seconds: outcome.rtt,
    failure: outcome.failure && {
      reason: outcome.failure.reason,
      phase: outcome.failure.phase,
      detail: outcome.failure.detail,
    },
    flagged: outcome.flagged,
  }
}

function windowJson(window: WindowView): object {
  return {
    seconds: window.seconds,
    ok: window.ok,
    failed: window.failed,
    skipped: window.skipped,
    flagged: window.flagged,
    loss: window.loss,
    p50_seconds: window.p50,
    p99_seconds: window.p99,
    noisy: window.noisy,
    rtt_p50_seconds: window.rttP50,
  }
}
