import Type from 'typebox'
import { Duration } from '../../model/schema.ts'
import { defineOptions, overlapOf } from '../define-options.ts'

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
const options: HttpCheckOptions = { path: `/v1/echo?size=${BODY_BYTES}`, responder: { bytes: BODY_BYTES } }

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
})
