import type { HttpExchange, Mount } from '../kind.ts'

/** Bytes of body given out or taken in at most. */
const MAX_BODY_BYTES = 1024 * 1024
/** Longer delays need a ticket, which this version does not know. */
const MAX_DELAY_SECONDS = 5

/** One body for all: a request of any size is answered with the beginning of it. */
const body = Buffer.alloc(MAX_BODY_BYTES, 'pathmeter ')

/** The other end of http: `GET /v1/echo?size=&status=&delay=` and `POST /v1/echo`. */
export const httpMount: Mount = {
  protocol: 'http',
  routes: { 'GET /v1/echo': give, 'POST /v1/echo': giveBack },
}

function give({ response, query, head }: HttpExchange): void {
  const size = Math.trunc(numberIn(query.get('size'), 0, MAX_BODY_BYTES) ?? 0)
  const status = Math.trunc(numberIn(query.get('status'), 200, 599) ?? 200)
  const delay = numberIn(query.get('delay'), 0, MAX_DELAY_SECONDS) ?? 0
  const answer = () => {
    head(status)
    // These statuses have no body (RFC 9110, 15.3.5 and 15.4.5).
    if (status === 204 || status === 304) response.end()
    else response.setHeader('content-length', size).end(body.subarray(0, size))
  }
  if (delay === 0) answer()
  else {
    const timer = setTimeout(answer, delay * 1000)
    response.once('close', () => clearTimeout(timer))
  }
}

function giveBack({ request, response, head, reject }: HttpExchange): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) {
      reject('body_too_large')
      return
    }
    chunks.push(chunk)
  })
  request.once('end', () => {
    head(200)
    response.setHeader('content-length', bytes).end(Buffer.concat(chunks))
  })
}

/** The number that a parameter holds; undefined when it is absent, no number or out of range. */
function numberIn(text: string | null, least: number, most: number): number | undefined {
  if (text === null || !/^\d{1,9}(\.\d{1,6})?$/.test(text)) return undefined
  const value = Number(text)
  return value >= least && value <= most ? value : undefined
}
