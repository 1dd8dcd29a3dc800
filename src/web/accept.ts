/** Whether JSON is asked for above plain text. Without a preference a person is assumed, who reads text. */
export function prefersJson(accept: string | undefined): boolean {
  return accept !== undefined && mediaQuality(accept, 'application/json') > mediaQuality(accept, 'text/plain')
}

/** Whether the client takes gzip (RFC 9110, 12.5.3: absent means that only the identity is safe to send). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false
  const ranges = parseRanges(acceptEncoding)
  return (ranges.get('gzip') ?? ranges.get('*') ?? 0) > 0
}

/** Quality of a media type by the most specific range that covers it (RFC 9110, 12.5.1). */
function mediaQuality(accept: string, type: string): number {
  const ranges = parseRanges(accept)
  return ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0
}

function parseRanges(header: string): Map<string, number> {
  const ranges = new Map<string, number>()
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    if (name !== '') ranges.set(name, parseQuality(parameters))
  }
  return ranges
}

function parseQuality(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => parameter.startsWith('q='))
  if (written === undefined) return 1
  const quality = Number(written.slice(2))
  return quality >= 0 && quality <= 1 ? quality : 0
}
