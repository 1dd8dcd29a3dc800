export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

const GAP = '  '

/** A plain table: titles in capitals, columns as wide as their widest cell, no space at a line's end. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(({ title }) => title.toUpperCase())
  const lines = [titles, ...rows]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line[index] ?? ''))))
  return lines.map((line) => `${renderLine(columns, widths, line)}\n`).join('')
}

function renderLine(columns: readonly Column[], widths: readonly number[], line: readonly string[]): string {
  const cells = columns.map(({ align }, index) => {
    const cell = line[index] ?? ''
    const padding = ' '.repeat((widths[index] ?? 0) - width(cell))
    return align === 'right' ? padding + cell : cell + padding
  })
  return cells.join(GAP).trimEnd()
}

function width(cell: string): number {
  return [...cell].length
}
