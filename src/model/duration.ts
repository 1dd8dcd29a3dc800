/** A length of time in seconds. The unit of every duration inside the program. */
export type Seconds = number

const UNITS: Readonly<Record<string, Seconds>> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, d: 86_400 }
const PATTERN = /^(\d+(?:\.\d+)?)(us|ms|s|m|h|d)$/

/**
 * Reads a duration as people write it in the configuration: one number and one unit, such as `250ms`, `5s`, `2m`.
 *
 * @returns seconds, or undefined when the text is no duration
 */
export function parseDuration(text: string): Seconds | undefined {
  const match = PATTERN.exec(text)
  if (match === null) return undefined
  const unit = UNITS[match[2] ?? '']
  return unit === undefined ? undefined : Number(match[1]) * unit
}

/** Writes a duration for a person: three significant digits in the unit that fits (`1.23ms`, `45.0s`). */
export function formatDuration(seconds: Seconds): string {
  if (seconds === 0) return '0s'
  // The unit of what is shown: 999.9ms are 1.00s.
  const size = Math.abs(Number(seconds.toPrecision(3)))
  if (size < 1e-3) return `${(seconds * 1e6).toPrecision(3)}us`
  if (size < 1) return `${(seconds * 1e3).toPrecision(3)}ms`
  if (size < 120) return `${seconds.toPrecision(3)}s`
  if (size < 7200) return `${(seconds / 60).toPrecision(3)}m`
  return size < 172_800 ? `${(seconds / 3600).toPrecision(3)}h` : `${(seconds / 86_400).toPrecision(3)}d`
}
