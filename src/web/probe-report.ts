import type { CheckId } from '../model/check.ts'
import { formatDuration, type Seconds } from '../model/duration.ts'
import type { Place } from '../model/path.ts'
import { PHASES, type Phase } from '../model/reason.ts'
import type { ProbeReport, ProbeRow, WindowView } from '../model/view.ts'
import { lossOf } from './loss.ts'
import { printable } from './printable.ts'
import { type Column, renderTable } from './text-table.ts'
import { timeJson } from './view-json.ts'

/** Unknown, not zero. */
const NONE = '-'
const LONGEST_DETAIL = 300

interface ReportColumn extends Column {
  cell(row: ProbeRow, lastHour: WindowView | undefined): string
}

/** Fresh attempts to one peer with the last hour beside them, for a person at a terminal. */
export function probeReportText(
  self: Place,
  report: ProbeReport,
  lastHour: ReadonlyMap<CheckId, WindowView>,
  now: Seconds,
): string {
  const failed = report.rows.filter((row) => row.outcome.failure !== undefined).length
  const phases = PHASES.filter((phase) => report.rows.some((row) => row.outcome.phases[phase] !== undefined))
  const columns = columnsFor(phases)
  const rows = report.rows.map((row) => columns.map(({ cell }) => cell(row, lastHour.get(row.check.id))))
  return (
    `${printable(report.peer)} (${zoneOf(report)}) probed from ${printable(self.node)} (${printable(self.zone)}) at ${timeJson(now)}: ` +
    `${verdict(report.rows.length, failed)}\n\n${renderTable(columns, rows)}`
  )
}

function columnsFor(phases: readonly Phase[]): readonly ReportColumn[] {
  return [
    { title: 'probe', cell: ({ check }) => check.kind },
    { title: 'conn', cell: ({ check }) => check.connection },
    { title: 'ip', cell: ({ check }) => String(check.target.family) },
    { title: 'result', cell: ({ outcome }) => (outcome.failure === undefined ? 'ok' : 'FAILED') },
    seconds('total', ({ outcome }) => outcome.duration),
    ...phases.map((phase) => seconds(phase, ({ outcome }) => outcome.phases[phase])),
    seconds('kernel rtt', ({ outcome }) => outcome.rtt),
    seconds('residence', ({ residence }) => residence),
    { title: 'answered by', cell: answeredBy },
    lastHour('1h p50', (window) => window.p50),
    lastHour('1h p99', (window) => window.p99),
    seconds('1h rtt', (_, window) => window?.rttP50),
    {
      title: '1h lost',
      align: 'right',
      cell: (_, window) => (window === undefined ? NONE : (lossOf(window)?.text ?? NONE)),
    },
    { title: 'note', cell: noteOf },
  ]
}

function seconds(
  title: string,
  read: (row: ProbeRow, lastHour: WindowView | undefined) => Seconds | undefined,
): ReportColumn {
  const cell: ReportColumn['cell'] = (row, lastHour) => {
    const value = read(row, lastHour)
    return value === undefined ? NONE : formatDuration(value)
  }
  return { title, align: 'right', cell }
}

/** A time of the last hour; ~ where every sample of it was flagged. */
function lastHour(title: string, read: (window: WindowView) => Seconds | undefined): ReportColumn {
  const cell: ReportColumn['cell'] = (_, window) => {
    const value = window && read(window)
    return value === undefined ? NONE : `${window?.noisy ? '~' : ''}${formatDuration(value)}`
  }
  return { title, align: 'right', cell }
}

function answeredBy({ answeredBy: who }: ProbeRow): string {
  if (who === undefined) return NONE
  return [who.node, who.zone, who.version]
    .flatMap((part) => (part === undefined ? [] : printable(part, 80)))
    .join(' ')
}

function noteOf({ outcome }: ProbeRow): string {
  const notes: string[] = []
  if (outcome.failure !== undefined) {
    const { reason, phase, detail } = outcome.failure
    notes.push(`${reason} in ${phase}: ${printable(detail, LONGEST_DETAIL)}`)
  }
  if (outcome.flagged === 'own') notes.push('flagged: this agent was starved of CPU')
  if (outcome.flagged === 'far') notes.push('flagged: the responder was starved of CPU')
  return notes.join('; ')
}

function zoneOf(report: ProbeReport): string {
  const target = report.rows[0]?.check.target
  return target === undefined ? 'unknown' : `${printable(target.zone)}, ${target.boundary}`
}

function verdict(total: number, failed: number): string {
  if (total === 0) return 'no check to run'
  return failed === 0 ? `all ${total} ok` : `${failed} of ${total} FAILED`
}
