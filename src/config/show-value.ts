/** Characters of a value that a message carries. */
const MAX_SHOWN = 60

/** A value as a message shows it: as JSON, in one line, cut when long. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  // JSON has no .nan and .inf.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The path of a key below another: `peers.static`, or `peers['a b']` where a dot would mislead. */
export function keyPath(parent: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${parent}['${showValue(key).slice(1, -1)}']`
  return parent === '' ? key : `${parent}.${key}`
}
