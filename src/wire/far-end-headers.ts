import type { FarEnd } from '../model/facts.ts'
import { PROTOCOL_VERSION } from './echo-frame.ts'

/** Headers as `node:http` gives them: lower case names, repeated ones joined. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The headers by which every HTTP answer of a responder says who answered and how busy it was. */
export function renderFarEnd(farEnd: FarEnd): Record<string, string> {
  return {
    'pathmeter-node': encodeName(farEnd.node),
    ...(farEnd.zone === undefined ? {} : { 'pathmeter-zone': encodeName(farEnd.zone) }),
    ...(farEnd.version === undefined ? {} : { 'pathmeter-version': farEnd.version }),
    'pathmeter-protocol': String(PROTOCOL_VERSION),
    ...(farEnd.draining ? { 'pathmeter-draining': 'true' } : {}),
    'server-timing': [
      `residence;dur=${milliseconds(farEnd.residence)}`,
      `runq;dur=${milliseconds(farEnd.runQueueWait)}`,
      `lag;dur=${milliseconds(farEnd.loopLag)}`,
    ].join(', '),
  }
}

export type FarEndReading =
  | { readonly is: 'responder'; readonly farEnd: FarEnd }
  | { readonly is: 'newer'; readonly protocol: string }
  | { readonly is: 'stranger' }

/** Reads those headers. A server without them is a stranger; what is malformed or unknown counts as absent. */
export function parseFarEnd(headers: Headers): FarEndReading {
  const node = text(headers['pathmeter-node'])
  const protocol = text(headers['pathmeter-protocol'])
  if (node === undefined || protocol === undefined) return { is: 'stranger' }
  if (Number.parseInt(protocol, 10) > PROTOCOL_VERSION) return { is: 'newer', protocol }
  const zone = text(headers['pathmeter-zone'])
  const version = text(headers['pathmeter-version'])
  const timing = parseServerTiming(text(headers['server-timing']) ?? '')
  return {
    is: 'responder',
    farEnd: {
      node: decodeName(node),
      ...(zone === undefined ? {} : { zone: decodeName(zone) }),
      ...(version === undefined ? {} : { version }),
      draining: headers['pathmeter-draining'] === 'true',
      residence: timing.get('residence') ?? 0,
      runQueueWait: timing.get('runq') ?? 0,
      loopLag: timing.get('lag') ?? 0,
    },
  }
}

/** `pathmeter-connection: ID; requests=N`: how many requests that connection has carried, this one included. */
export function parseConnectionHeader(headers: Headers): { id: string; requests: number } | undefined {
  const match = /^([\w-]{1,64}); requests=(\d{1,9})$/.exec(text(headers['pathmeter-connection']) ?? '')
  return match === null ? undefined : { id: match[1] ?? '', requests: Number(match[2]) }
}

/** `Keep-Alive: timeout=SECONDS`: how long the server says it keeps an idle connection. */
export function parseKeepAlive(headers: Headers): number | undefined {
  const match = /(?:^|[,\s])timeout=(\d{1,6})/.exec(text(headers['keep-alive']) ?? '')
  return match === null ? undefined : Number(match[1])
}

/** `Server-Timing` metrics by name, in seconds. Metrics without a sane duration are left out. */
function parseServerTiming(value: string): Map<string, number> {
  const metrics = new Map<string, number>()
  for (const metric of value.split(',')) {
    const match = /^\s*([a-z]+);dur=(\d{1,9}(?:\.\d{1,6})?)\s*$/.exec(metric)
    if (match !== null) metrics.set(match[1] ?? '', Number(match[2]) / 1000)
  }
  return metrics
}

function milliseconds(seconds: number): string {
  return (Math.max(0, seconds) * 1000).toFixed(3)
}

function text(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value.length <= 512 ? value : undefined
}

/** Makes a name fit for a header. */
export function encodeName(name: string): string {
  // Half of a surrogate pair has no encoding and would throw.
  return encodeURIComponent(name.toWellFormed())
}

/** Undoes `encodeName`; what is malformed stays as it is. */
export function decodeName(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
