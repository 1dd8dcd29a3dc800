import { renderTable } from '../../web/text-table.ts'
import { briefDuration } from '../brief-duration.ts'
import type { ConfigReport } from './config-report.ts'

/** A valid configuration, for people. */
export function configText(file: string, report: ConfigReport): string {
  const { self, peers, probed, rate, loopbackRate, cap } = report
  return [
    `${file} is valid`,
    '',
    `node   ${self.node} in ${self.zone}${self.site === undefined || self.site === self.zone ? '' : ` at ${self.site}`}`,
    `peers  ${peers} listed, ${probed.length} probed from here: ${list(probed)}`,
    '',
    linesTable(report),
    `${perSecond(rate)} attempts per second to peers and ${perSecond(loopbackRate)} over loopback, of ${cap} allowed`,
    ...fleetText(report),
    '',
  ].join('\n')
}

function linesTable({ lines }: ConfigReport): string {
  return renderTable(
    [
      { title: 'probe' },
      { title: 'connection' },
      { title: 'every', align: 'right' },
      { title: 'limit', align: 'right' },
      { title: 'paths', align: 'right' },
      { title: 'per second', align: 'right' },
    ],
    lines.map(({ kind, connection, every, limit, checks, rate }) => [
      kind,
      connection,
      briefDuration(every),
      briefDuration(limit),
      String(checks),
      perSecond(rate),
    ]),
  )
}

function fleetText({ fleet, cap }: ConfigReport): readonly string[] {
  if (fleet === undefined) return []
  const { nodes, zones, rates } = fleet
  const table = renderTable(
    [
      { title: 'probe' },
      { title: 'connection' },
      { title: 'every', align: 'right' },
      { title: 'at each node', align: 'right' },
      { title: 'in the fleet', align: 'right' },
    ],
    [
      ...rates.rows.map(({ kind, connection, every, towardsEachPeer, fleet: all }) => [
        kind,
        connection,
        briefDuration(every),
        perSecond(towardsEachPeer),
        perSecond(all),
      ]),
      ['all', '', '', perSecond(rates.towardsEachPeer), perSecond(rates.fleet)],
    ],
  )
  const stretched =
    rates.stretch > 1
      ? [`intervals are ${rates.stretch.toFixed(2)} times as long, to stay within ${cap} attempts per second`]
      : []
  return [
    '',
    `A fleet of ${nodes} nodes in ${zones} zones: attempts per second, on average`,
    '',
    table,
    `each node probes ${perSecond(rates.peersPerNode)} peers, and starts ${perSecond(rates.startedByEachNode)} attempts per second`,
    ...stretched,
  ]
}

function perSecond(rate: number): string {
  return String(Number(rate.toPrecision(3)))
}

/** Most names that a line carries. */
const MOST_NAMES = 6

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown
}
