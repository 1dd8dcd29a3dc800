import Type from 'typebox'
import { parseHostPort } from '../../model/host-port.ts'
import { Duration } from '../../model/schema.ts'
import { defineOptions, overlapOf, type ParsedTarget, type TargetDemand } from '../define-options.ts'

export interface HttpCheckOptions {
  /** Request target, with its query. */
  readonly path: string
  /** Host header, and the server name that TLS verifies. Default: the address that is dialled. */
  readonly host?: string
  readonly tls?: boolean
  /** A responder must answer: 200, its identity, and this many bytes of body. Otherwise any 2xx or 3xx will do. */
  readonly responder?: { readonly bytes: number }
}

const BODY_BYTES = 512
const ECHO_PATH = `/v1/echo?size=${BODY_BYTES}`
const options: HttpCheckOptions = { path: ECHO_PATH, responder: { bytes: BODY_BYTES } }

export const httpOptions = defineOptions({
  protocol: 'http',
  schema: Type.Object(
    {
      reused: Type.Object(
        {
          // A 5 s keep-alive is the commonest: an interval of 5 s would live in the reuse race.
          every: Duration({ default: '4s', minimum: '100ms', description: 'Time between two requests' }),
        },
        { additionalProperties: false, default: {}, description: 'On a kept connection' },
      ),
      new: Type.Object(
        {
          every: Duration({ default: '15s', minimum: '100ms', description: 'Time between two requests' }),
        },
        { additionalProperties: false, default: {}, description: 'On a new connection for each request' },
      ),
      limit: Duration({
        default: '8s',
        minimum: '100ms',
        maximum: '60s',
        description: 'Deadline of one request, from connect to the last byte',
      }),
    },
    { additionalProperties: false, default: {}, description: 'HTTP/1.1 requests, kept and new connections' },
  ),
  variants: ({ reused, new: fresh, limit }) => [
    { connection: 'reused', every: reused.every, limit, overlap: 1, options },
    { connection: 'new', every: fresh.every, limit, overlap: overlapOf(limit, fresh.every), options },
  ],
  targetSyntax: 'URL or HOST:PORT',
  parseTarget,
})

/** A bare HOST:PORT is asked for `/`. Below a URL's path a responder answers as a gateway would pass it on. */
function parseTarget(
  text: string,
  { responder }: TargetDemand,
): ParsedTarget<HttpCheckOptions> | { readonly problem: string } {
  const url = toUrl(text)
  if (typeof url === 'string') return { problem: url }
  const tls = url.protocol === 'https:'
  const path = responder ? `${url.pathname.replace(/\/$/, '')}${ECHO_PATH}` : url.pathname + url.search
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (tls ? 443 : 80),
    options: {
      path,
      host: url.host,
      ...(tls && { tls }),
      ...(responder && { responder: { bytes: BODY_BYTES } }),
    },
    does: `gets ${path}${responder ? ' of a responder' : ', any 2xx or 3xx will do'}`,
    phases: ['connect', ...(tls ? (['tls'] as const) : []), 'request', 'first_byte', 'transfer'],
  }
}

/** @returns what is wrong, where it is no target */
function toUrl(text: string): URL | string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const url =
    hasScheme || parseHostPort(text) !== undefined ? URL.parse(hasScheme ? text : `http://${text}`) : null
  if (url === null) return 'must be a URL such as https://models.internal/healthz, or HOST:PORT'
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `must begin with http:// or https://, got ${url.protocol}//`
  if (url.username !== '' || url.password !== '') return 'must carry neither user name nor password'
  // The only port that a URL may name and nothing can listen on.
  return url.port === '0' ? 'must have a port from 1 to 65535' : url
}
