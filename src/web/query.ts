import { parseDuration, type Seconds } from '../model/duration.ts'
import { WebError } from './errors.ts'

/** What the history holds for a person: an hour. */
const LONGEST_WINDOW: Seconds = 3600
const SHORTEST_WINDOW: Seconds = 10
export const DEFAULT_WINDOW: Seconds = 300

/**
 * Reads the query parameters that a route knows. An empty one counts as absent, so that a template may leave it open.
 *
 * @throws WebError `unknown_parameter`, `bad_parameter` when one is given twice
 */
export function readQuery<Name extends string>(
  query: unknown,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {}
  for (const [key, value] of Object.entries(query ?? {})) {
    const name = known.find((candidate) => candidate === key)
    if (name === undefined) {
      throw new WebError(
        'unknown_parameter',
        `Cannot use parameter ${JSON.stringify(key)}: known here are ${known.join(', ')}`,
      )
    }
    if (typeof value !== 'string') {
      throw new WebError('bad_parameter', `Cannot read parameter "${name}": must be given once`)
    }
    if (value !== '') values[name] = value
  }
  return values
}

/**
 * Reads the span that numbers are taken over; the default is 5 minutes.
 *
 * @throws WebError `bad_parameter`
 */
export function readWindow(text: string | undefined): Seconds {
  if (text === undefined) return DEFAULT_WINDOW
  const window = parseDuration(text)
  if (window === undefined || window < SHORTEST_WINDOW || window > LONGEST_WINDOW) {
    throw new WebError(
      'bad_parameter',
      `Cannot read parameter "window": must be a duration from 10s to 1h such as 5m, got ${JSON.stringify(text)}`,
    )
  }
  return window
}
