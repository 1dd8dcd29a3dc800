import { renderFarEnd } from '../../src/wire/far-end-headers.ts'
import { PEER_NODE } from './checks.ts'

/** Headers by which a responder names itself. */
const IDENTITY = renderFarEnd({
  node: PEER_NODE,
  zone: 'zone-b',
  version: '1.2.3',
  draining: false,
  residence: 0.0001,
  runQueueWait: 0,
  loopLag: 0,
})

/** An HTTP/1.1 answer as it goes over the wire. */
export function answerText(
  headers: Readonly<Record<string, string | number>>,
  body: string,
  status = '200 OK',
): string {
  const lines = Object.entries({ ...IDENTITY, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`
}

/** The answer that a responder gives to an echo of 512 bytes. */
export function rightAnswer(headers: Readonly<Record<string, string | number>> = {}): string {
  return answerText({ 'content-length': 512, ...headers }, 'x'.repeat(512))
}
