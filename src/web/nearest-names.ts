/** Edits up to which another name counts as a slip of the pen. */
const MAX_EDITS = 3
const MAX_NAMES = 3

/** The known names closest to a mistyped one: those that contain it, then by edits; three at most. */
export function nearestNames(wanted: string, known: readonly string[]): readonly string[] {
  const found: { readonly name: string; readonly edits: number }[] = []
  for (const name of known) {
    const edits = distance(wanted.toLowerCase(), name.toLowerCase())
    if (edits !== undefined) found.push({ name, edits })
  }
  found.sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
  return found.slice(0, MAX_NAMES).map(({ name }) => name)
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

/**
 * Levenshtein distance, or undefined above `most`. Only cells within `most` of the diagonal are computed, as no
 * others can lead to it: a long name costs a few cells a letter.
 */
function editsWithin(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let previous = new Map<number, number>()
  for (let column = 0; column <= Math.min(b.length, most); column++) previous.set(column, column)
  for (let row = 1; row <= a.length; row++) {
    const current = new Map<number, number>()
    for (let column = Math.max(0, row - most); column <= Math.min(b.length, row + most); column++) {
      const replaced = (previous.get(column - 1) ?? Infinity) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const removed = (previous.get(column) ?? Infinity) + 1
      const inserted = (current.get(column - 1) ?? Infinity) + 1
      current.set(column, Math.min(replaced, removed, inserted))
    }
    if (Math.min(...current.values()) > most) return undefined
    previous = current
  }
  const edits = previous.get(b.length) ?? Infinity
  return edits <= most ? edits : undefined
}
