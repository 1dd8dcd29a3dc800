import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** For more than one request on a connection. */
  readonly agent?: Agent
}

/** One request to loopback, on a connection of its own unless an agent is given, and the whole answer. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, agent }: Asking = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const options = { host: '127.0.0.1', port, path, method, headers, agent: agent ?? false }
  const asking = request(options, (response) => {
    const { statusCode = 0, headers } = response
    buffer(response).then((bytes) => resolve({ status: statusCode, headers, body: bytes }), reject)
  })
  asking.on('error', reject).end(body)
  return promise
}
