import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from './accept.ts'

/** Bytes below which compression saves no packet: one segment holds the answer anyway. */
const WORTH_COMPRESSING = 1200

// In the thread pool: compressing 180 KiB on the loop would delay probes by milliseconds.
const gzipAsync = promisify<string, Buffer>(gzip)

/** `onSend` hook: compresses text for clients that ask for it. */
export async function gzipReplies(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < WORTH_COMPRESSING) return payload
  reply.header('vary', 'Accept, Accept-Encoding')
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload
  const compressed = await gzipAsync(payload)
  reply.header('content-encoding', 'gzip').header('content-length', compressed.byteLength)
  return compressed
}
