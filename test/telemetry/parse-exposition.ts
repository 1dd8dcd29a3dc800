export interface Line {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ParsedFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly lines: Line[]
}

const SUFFIXES: Readonly<Record<string, RegExp>> = {
  counter: /^$|^_total$/,
  gauge: /^$/,
  summary: /^_(sum|count)$/,
  histogram: /^_(sum|count|bucket)$/,
}

/** Reads a text exposition strictly: throws on anything that the formats forbid. */
export function parseExposition(text: string): ReadonlyMap<string, ParsedFamily> {
  const families = new Map<string, ParsedFamily>()
  const seen = new Set<string>()
  let current: ParsedFamily | undefined
  let help: { name: string; text: string } | undefined
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line does not end')
  for (const line of lines) {
    if (line === '# EOF') continue
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line)
    if (comment?.[1] === 'HELP') {
      help = { name: comment[2] ?? '', text: comment[3] ?? '' }
    } else if (comment !== null) {
      const name = comment[2] ?? ''
      if (help?.name !== name || families.has(name)) throw new Error(`misplaced: ${line}`)
      current = { name, help: help.text, type: comment[3] ?? '', lines: [] }
      families.set(name, current)
    } else {
      const parsed = parseLine(line)
      const suffix = current === undefined ? undefined : parsed.name.slice(current.name.length)
      if (!current || !parsed.name.startsWith(current.name) || !SUFFIXES[current.type]?.test(suffix ?? '')) {
        throw new Error(`not of the family ${current?.name}: ${line}`)
      }
      const series = JSON.stringify([parsed.name, Object.entries(parsed.labels).sort()])
      if (seen.has(series)) throw new Error(`twice: ${line}`)
      seen.add(series)
      current.lines.push(parsed)
    }
  }
  return families
}

function parseLine(line: string): Line {
  const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s.exec(line)
  if (match === null) throw new Error(`no line of a metric: ${line}`)
  const labels: Record<string, string> = {}
  let rest = match[2] ?? ''
  while (rest !== '') {
    const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\n"])*)"(?:,(?=.)|$)/s.exec(rest)
    if (label === null) throw new Error(`no labels: ${rest}`)
    const [whole, name = '', escaped = ''] = label
    if (name in labels) throw new Error(`label twice: ${line}`)
    labels[name] = escaped.replaceAll(/\\([\\n"])/g, (_, char) => (char === 'n' ? '\n' : char))
    rest = rest.slice(whole.length)
  }
  const value = match[3] === '+Inf' ? Number.POSITIVE_INFINITY : Number(match[3])
  if (Number.isNaN(value)) throw new Error(`no number: ${line}`)
  return { name: match[1] ?? '', labels, value }
}

/** Value of the one line with this name and these labels among others; undefined when there is none. */
export function sampleOf(
  families: ReadonlyMap<string, ParsedFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = [...families.values()]
    .flatMap(({ lines }) => lines)
    .filter(
      (line) =>
        line.name === name && Object.entries(labels).every(([key, value]) => line.labels[key] === value),
    )
  if (found.length > 1) throw new Error(`${found.length} lines of ${name} have ${JSON.stringify(labels)}`)
  return found[0]?.value
}
