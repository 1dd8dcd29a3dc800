import type { Seconds } from '../../model/duration.ts'
import { durationOf, flaggedBy, type Observation } from '../../model/observation.ts'
import type { Phase } from '../../model/reason.ts'
import { formatMilliseconds } from '../../web/page/numbers.ts'
import type { Paint } from '../paint.ts'
import { madeConnection, type ProbeAttempt } from './attempts.ts'

interface Column {
  readonly title: string
  readonly width: number
  readonly align: 'left' | 'right'
  /** Lower ones go first where the terminal is too narrow for all; 0 stays. */
  readonly droppedAs: number
  cell(attempt: ProbeAttempt): string | undefined
}

export interface RowsOptions {
  readonly phases: readonly Phase[]
  /** Whether the other end says who it is. */
  readonly responder: boolean
  readonly kept: boolean
  /** Of the terminal, in characters; unlimited by default. */
  readonly width?: number | undefined
  readonly paint: Paint
}

/** Writes attempts one by one, in columns that stay. */
export interface ProbeRows {
  /** The line of titles. */
  readonly titles: string
  /** The lines of one attempt: its numbers, then what is to be said of it. */
  lines(attempt: ProbeAttempt): readonly string[]
}

const GAP = '  '
/** Widest number below a minute, in milliseconds: `59,999`. */
const NUMBER_WIDTH = 6

const TIME_WIDTH = 8
const INDENT = ' '.repeat(TIME_WIDTH + GAP.length)

export function createProbeRows({ phases, responder, kept, width, paint }: RowsOptions): ProbeRows {
  const columns = narrowed(columnsOf(phases, responder), width)
  return {
    titles: paint(
      'bold',
      layOut(columns, (column) => column.title),
    ),
    lines(attempt) {
      const failed = attempt.seen.failure !== undefined
      const numbers = layOut(columns, (column) => column.cell(attempt) ?? '-')
      const notes = notesOn(attempt, kept)
      const lines = notes.length === 0 ? [numbers] : [numbers, `${INDENT}${notes.join('; ')}`]
      return failed ? lines.map((line) => paint('red', line)) : lines
    },
  }
}

const TIME: Column = {
  title: 'TIME',
  width: TIME_WIDTH,
  align: 'left',
  droppedAs: 0,
  cell: ({ at }) => localTime(at),
}

function columnsOf(phases: readonly Phase[], responder: boolean): readonly Column[] {
  const columns: Column[] = [
    TIME,
    {
      title: 'RESULT',
      width: 6,
      align: 'left',
      droppedAs: 0,
      cell: ({ seen }) => resultOf(seen),
    },
    number('TOTAL', 0, ({ seen }) => durationOf(seen)),
    ...phases.map((phase) => number(titleOf(phase), DROPPED[phase] ?? 0, ({ seen }) => seen.phases[phase])),
    number('RTT', 0, ({ seen }) => seen.facts.kernel?.rtt),
  ]
  if (!responder) return columns
  return [
    ...columns,
    number('RESIDENCE', 3, ({ seen }) => seen.facts.farEnd?.residence),
    { title: 'NODE', width: 8, align: 'left', droppedAs: 0, cell: ({ seen }) => seen.facts.farEnd?.node },
  ]
}

/** Phases that seldom tell more than that they were short. */
const DROPPED: Readonly<Partial<Record<Phase, number>>> = { request: 1, transfer: 2 }

function titleOf(phase: Phase): string {
  return phase === 'first_byte' ? '1ST BYTE' : phase.toUpperCase()
}

function number(
  title: string,
  droppedAs: number,
  read: (attempt: ProbeAttempt) => Seconds | undefined,
): Column {
  return {
    title,
    width: Math.max(NUMBER_WIDTH, title.length),
    align: 'right',
    droppedAs,
    cell(attempt) {
      const value = read(attempt)
      return value === undefined ? undefined : formatMilliseconds(value)
    },
  }
}

function narrowed(columns: readonly Column[], width = Number.POSITIVE_INFINITY): readonly Column[] {
  const total = columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length)
  const [next] = columns.filter(({ droppedAs }) => droppedAs > 0).sort((a, b) => a.droppedAs - b.droppedAs)
  if (total <= width || next === undefined) return columns
  return narrowed(
    columns.filter((column) => column !== next),
    width,
  )
}

function layOut(columns: readonly Column[], textOf: (column: Column) => string): string {
  return columns
    .map((column) => {
      const text = textOf(column)
      return column.align === 'right' ? text.padStart(column.width) : text.padEnd(column.width)
    })
    .join(GAP)
    .trimEnd()
}

/** A star marks times that the summary leaves out. */
function resultOf(seen: Observation): string {
  if (seen.failure !== undefined) return 'failed'
  return flaggedBy(seen) === undefined ? 'ok' : 'ok *'
}

function notesOn({ seen }: ProbeAttempt, kept: boolean): readonly string[] {
  const notes: string[] = []
  const { failure, facts } = seen
  if (failure !== undefined) notes.push(`${failure.reason} in ${failure.phase}: ${failure.detail}`)
  const synRetransmits = facts.kernel?.synRetransmits ?? 0
  if (synRetransmits > 0) notes.push(`${synRetransmits} SYN sent again: loss, and no round trip`)
  if (kept && failure === undefined && madeConnection(seen))
    notes.push('made the connection, so its time is not in the summary')
  return notes
}

/** Time of day where the person is. */
function localTime(at: Seconds): string {
  const date = new Date(at * 1000)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
