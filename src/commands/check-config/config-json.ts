import type { Problem } from '../../model/problem.ts'
import type { ConfigReport } from './config-report.ts'

/** The document of `check-config --json` for a valid file, version 1. */
export function configJson(file: string, report: ConfigReport): object {
  const { self, fleet } = report
  return {
    apiVersion: 'v1',
    file,
    valid: true,
    node: self.node,
    zone: self.zone,
    site: self.site,
    peers: report.peers,
    probed: report.probed,
    probes: report.lines.map(({ kind, connection, every, limit, checks, rate }) => ({
      probe: kind,
      connection,
      every_seconds: every,
      limit_seconds: limit,
      paths: checks,
      attempts_per_second: rate,
    })),
    attempts_per_second: report.rate,
    loopback_attempts_per_second: report.loopbackRate,
    attempts_per_second_allowed: report.cap,
    fleet: fleet && {
      nodes: fleet.nodes,
      zones: fleet.zones,
      peers_per_node: fleet.rates.peersPerNode,
      stretch: fleet.rates.stretch,
      probes: fleet.rates.rows.map(({ kind, connection, every, towardsEachPeer, fleet: all }) => ({
        probe: kind,
        connection,
        every_seconds: every,
        attempts_per_second_at_each_node: towardsEachPeer,
        attempts_per_second: all,
      })),
      attempts_per_second_at_each_node: fleet.rates.towardsEachPeer,
      attempts_per_second: fleet.rates.fleet,
    },
  }
}

/** The document of `check-config --json` for a file with problems, version 1. */
export function problemsJson(file: string, problems: readonly Problem[]): object {
  return { apiVersion: 'v1', file, valid: false, problems }
}
