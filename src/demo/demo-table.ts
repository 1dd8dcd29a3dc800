import { briefDuration } from '../commands/brief-duration.ts'
import type { Style } from '../commands/paint.ts'
import type { Seconds } from '../model/duration.ts'
import { formatMilliseconds } from '../web/page/numbers.ts'
import type { DemoWay } from './demo-mesh.ts'
import type { MeasuredPath, RunningAgent } from './mesh-report.ts'

/** One line of text, laid out, in one style. */
export interface Line {
  readonly text: string
  readonly style?: Style
}

/** What the demo knows at one moment. */
export interface DemoView {
  readonly ways: readonly DemoWay[]
  readonly agents: readonly RunningAgent[]
  readonly paths: readonly MeasuredPath[]
  /** Cold taxes of http, by source node and destination zone. */
  readonly coldTaxes: ReadonlyMap<string, ReadonlyMap<string, Seconds>>
  /** What the numbers are over. */
  readonly span: string
  /** How long it runs, and what ends it. */
  readonly time: string
}

interface Column {
  /** Two lines of title. */
  readonly over: string
  readonly under: string
  readonly width: number
  readonly align: 'left' | 'right'
  /** Characters before it. */
  readonly gap: number
  cell(paths: readonly MeasuredPath[]): string
}

const NUMBER_WIDTH = 4
/** Before a time that starvation has spoilt. */
const NOISY = '~'

/** Everything as lines: a block for each agent, a row for each of its paths. `width` is the terminal's. */
export function demoLines(view: DemoView, width: number): readonly Line[] {
  const { ways, agents, paths, span, time } = view
  const all = columnsOf(view, true)
  const columns = widthOf(all) <= width ? all : columnsOf(view, false)
  const blocks = agents.flatMap(({ node, zone, url }): readonly Line[] => [
    { text: `${node} in ${zone}  ${url}/`, style: 'bold' },
    ...Map.groupBy(
      paths.filter(({ src }) => src === node),
      ({ dst }) => dst,
    )
      .values()
      .flatMap((row) => rowLines(columns, row)),
  ])
  return [
    { text: 'Three agents in three zones and one on-prem responder, on this machine', style: 'bold' },
    { text: `${intervalsText(ways)}; ${time}` },
    { text: `Each URL has /, /metrics, /api/v1/paths, /probe/; ms over ${span}` },
    { text: '' },
    { text: layOut(columns, ({ over }) => over), style: 'bold' },
    { text: layOut(columns, ({ under }) => under), style: 'bold' },
    ...blocks,
    ...legend(paths),
  ]
}

function legend(paths: readonly MeasuredPath[]): readonly Line[] {
  const isNoisy = paths.some(({ noisy }) => noisy)
  return isNoisy
    ? [{ text: `${NOISY} an end was short of CPU in every attempt: not the network's time alone` }]
    : []
}

/** How often every path is measured in every way. */
export function intervalsText(ways: readonly DemoWay[]): string {
  return ways.map((way) => `${titleOf(way)} every ${briefDuration(way.every)}`).join(', ')
}

/** `new` and `kept`, as the options of the command line say it. */
function titleOf({ probe, connection }: Pick<DemoWay, 'probe' | 'connection'>): string {
  return `${probe} ${connection === 'reused' ? 'kept' : connection}`
}

function columnsOf({ ways, coldTaxes }: DemoView, withP99: boolean): readonly Column[] {
  return [
    text('', '  TO', 10, ([path]) => `  ${path?.dst ?? ''}`),
    text('', 'BOUNDARY', 10, ([path]) => path?.boundary ?? ''),
    ...ways.flatMap((way) => wayColumns(way, withP99)),
    number('COLD', 'TAX', ([path]) => path && coldTaxes.get(path.src)?.get(path.dstZone)),
    {
      ...number('KERNEL', 'RTT', (paths) => paths.find(({ rttP50 }) => rttP50 !== undefined)?.rttP50),
      width: 'KERNEL'.length,
    },
    { over: '', under: 'FAILED', width: 6, align: 'right', gap: 2, cell: failedOf },
  ]
}

function wayColumns(way: DemoWay, withP99: boolean): readonly Column[] {
  const of = (paths: readonly MeasuredPath[]) =>
    paths.find(({ probe, connection }) => probe === way.probe && connection === way.connection)
  const title = titleOf(way).toUpperCase()
  const plain = number(title, 'P50', (paths) => of(paths)?.p50)
  const p50 = {
    ...plain,
    width: NUMBER_WIDTH + NOISY.length,
    cell: (paths: readonly MeasuredPath[]) => (of(paths)?.noisy ? NOISY : '') + plain.cell(paths),
  }
  // The title stands above both columns: its end is that of the second one.
  return withP99
    ? [
        { ...p50, over: '' },
        { ...number(title, 'P99', (paths) => of(paths)?.p99), gap: 1 },
      ]
    : [{ ...p50, width: Math.max(p50.width, title.length) }]
}

function text(over: string, under: string, width: number, cell: Column['cell']): Column {
  return { over, under, width, align: 'left', gap: 2, cell }
}

function number(
  over: string,
  under: string,
  read: (paths: readonly MeasuredPath[]) => Seconds | undefined,
): Column {
  return {
    over,
    under,
    width: NUMBER_WIDTH,
    align: 'right',
    gap: 2,
    cell(paths) {
      const value = read(paths)
      return value === undefined ? '-' : formatMilliseconds(value)
    },
  }
}

function failedOf(paths: readonly MeasuredPath[]): string {
  const failed = paths.reduce((sum, path) => sum + path.failed, 0)
  return `${failed}/${paths.reduce((sum, path) => sum + path.ok, failed)}`
}

function rowLines(columns: readonly Column[], row: readonly MeasuredPath[]): readonly Line[] {
  const numbers = layOut(columns, (column) => column.cell(row))
  const failures = row.filter(({ failed }) => failed > 0)
  if (failures.length === 0) return [{ text: numbers }]
  const notes = failures.map((path) => {
    const last = path.lastFailure === undefined ? '' : `, last ${path.lastFailure}`
    return `    ${titleOf(path)}: ${path.failed} of ${path.ok + path.failed} failed${last}`
  })
  return [numbers, ...notes].map((line) => ({ text: line, style: 'red' }))
}

function layOut(columns: readonly Column[], textOf: (column: Column) => string): string {
  let line = ''
  let end = 0
  for (const [index, column] of columns.entries()) {
    end += column.width + (index === 0 ? 0 : column.gap)
    const cell = textOf(column)
    // A title that is wider than its column reaches to the left.
    const start = column.align === 'left' ? end - column.width : end - cell.length
    line = line.padEnd(start).slice(0, Math.max(start, line.trimEnd().length)) + cell
  }
  return line.trimEnd()
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, { width, gap }, index) => sum + width + (index === 0 ? 0 : gap), 0)
}
