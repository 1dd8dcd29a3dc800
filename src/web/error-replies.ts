import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { prefersJson } from './accept.ts'
import { errorBody, WebError } from './errors.ts'
import { printable, printableJson } from './printable.ts'

const LONGEST_MESSAGE = 1000
/** The routes that people call by hand, and read as text. */
const TEXT_ROUTES = /^\/probe(?:[/?]|$)/

/** Answers any error in the API's shape, or as a line of text on `/probe` unless JSON is asked for. */
export function replyError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof WebError ? error : fromFastify(error)
  if (known.code === 'internal') request.log.error({ err: error }, 'Cannot answer a request')
  reply.code(known.status).headers(known.headers)
  if (TEXT_ROUTES.test(request.url) && !prefersJson(request.headers.accept)) {
    return reply.type('text/plain; charset=utf-8').send(`${printable(known.message, LONGEST_MESSAGE)}\n`)
  }
  return reply.type('application/json; charset=utf-8').send(errorBody(known))
}

export function replyNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = JSON.stringify(request.url.split('?', 1)[0])
  return replyError(new WebError('not_found', `Cannot find ${path}: nothing is served there`), request, reply)
}

/** Answers on the bare socket what Node refused before there was a request. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const known = fromParser(error.code)
  const body = printableJson(errorBody(known))
  socket.write(
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.destroySoon()
}

function fromFastify(error: unknown): WebError {
  const { code, statusCode = 500 }: Partial<FastifyError> = error instanceof Error ? error : {}
  if (code === 'FST_ERR_BAD_URL') {
    return new WebError('bad_url', 'Cannot decode the URL: it has a broken escape')
  }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new WebError('bad_url', 'Cannot read the URL: a name in it is too long')
  }
  if (statusCode === 413) {
    return new WebError(
      'body_too_large',
      'Cannot take the request: its body is too large, and nothing reads it',
    )
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new WebError('bad_request', `Cannot read the request (${code ?? statusCode})`)
  }
  return new WebError('internal', 'Cannot answer: the agent failed; its log has the error')
}

function fromParser(code: string | undefined): WebError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new WebError('header_too_large', 'Cannot take the request: its headers are too large')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new WebError('request_timeout', 'Cannot wait for the request any longer: it did not arrive whole')
  }
  return new WebError('bad_request', `Cannot read the request (${code ?? 'no code'})`)
}
