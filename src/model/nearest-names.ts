/** Edits up to which another name counts as a slip of the pen. */
const MAX_EDITS = 3

/**
 * The known names that a mistyped one may have meant: those that contain it, then by edits (a letter added, dropped,
 * changed, or two neighbours swapped; letter case is free).
 *
 * @param most how many at most, 3 by default
 */
export function nearestNames(wanted: string, known: readonly string[], most = 3): readonly string[] {
  const found: { readonly name: string; readonly edits: number }[] = []
  for (const name of known) {
    const edits = distance(wanted.toLowerCase(), name.toLowerCase())
    if (edits !== undefined) found.push({ name, edits })
  }
  found.sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
  return found.slice(0, most).map(({ name }) => name)
}

function distance(wanted: string, name: string): number | undefined {
  if (wanted.length >= 2 && name.includes(wanted)) return 0
  // A slip leaves at least half of a short name standing.
  const most = Math.min(MAX_EDITS, Math.floor(Math.min(wanted.length, name.length) / 2))
  const [restWanted, restName] = withoutSharedEnds(wanted, name)
  return editsWithin(restWanted, restName, most)
}

/** What two names differ in; their distance stays. Node names share long ends. */
function withoutSharedEnds(a: string, b: string): readonly [string, string] {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}

/** Costs by column of one row of the table of edits; columns that are not in it cannot lead to a near name. */
type Row = ReadonlyMap<number, number>

/**
 * Optimal string alignment distance, or undefined above `most`. Only cells within `most` of the diagonal are computed,
 * as no others can lead to it: a long name costs a few cells a letter.
 */
function editsWithin(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let beforePrevious: Row = new Map()
  let previous: Row = new Map(
    Array.from({ length: Math.min(b.length, most) + 1 }, (_, column) => [column, column]),
  )
  for (let row = 1; row <= a.length; row++) {
    const current = new Map<number, number>()
    for (let column = Math.max(0, row - most); column <= Math.min(b.length, row + most); column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const edits = Math.min(
        at(previous, column - 1) + (same ? 0 : 1),
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        swapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      current.set(column, edits)
    }
    if (Math.min(...current.values()) > most) return undefined
    beforePrevious = previous
    previous = current
  }
  const edits = at(previous, b.length)
  return edits <= most ? edits : undefined
}

function at(row: Row, column: number): number {
  return row.get(column) ?? Number.POSITIVE_INFINITY
}
