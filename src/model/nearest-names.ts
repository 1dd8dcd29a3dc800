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
  return editsWithin(wanted, name, most)
}

/** Optimal string alignment distance, or undefined above `most`: rows beyond it are not computed, so a long name costs little. */
function editsWithin(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          at(previous, column - 1) + (same ? 0 : 1),
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          swapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    if (Math.min(...current) > most) return undefined
    beforePrevious = previous
    previous = current
  }
  const edits = at(previous, b.length)
  return edits <= most ? edits : undefined
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
