import type { Format } from './exposition.ts'

interface Range {
  readonly type: string
  readonly version?: string | undefined
  readonly quality: number
}

/** Which exposition format an `Accept` header prefers. OpenMetrics must be asked for; anything else gets the plain one. */
export function negotiate(accept: string | undefined): Format {
  const ranges = (accept ?? '').split(',').map(parseRange)
  const openmetrics = bestOf(
    ranges,
    ({ type, version }) =>
      type === 'application/openmetrics-text' && (version === undefined || version === '1.0.0'),
  )
  const plain = bestOf(ranges, ({ type }) => type === 'text/plain')
  return openmetrics > 0 && openmetrics >= plain ? 'openmetrics' : 'plain'
}

function bestOf(ranges: readonly Range[], matches: (range: Range) => boolean): number {
  return ranges.reduce((best, range) => (matches(range) ? Math.max(best, range.quality) : best), 0)
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = new Map(parameters.map((parameter) => splitOnce(parameter)))
  const quality = Number(given.get('q') ?? 1)
  return { type, version: given.get('version'), quality: Number.isNaN(quality) ? 0 : quality }
}

function splitOnce(parameter: string): [string, string] {
  const at = parameter.indexOf('=')
  return at < 0
    ? [parameter, '']
    : [
        parameter.slice(0, at).trim(),
        parameter
          .slice(at + 1)
          .trim()
          .replaceAll('"', ''),
      ]
}
