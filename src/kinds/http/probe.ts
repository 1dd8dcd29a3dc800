import type { OutgoingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { BadAnswer } from '../../clients/failure.ts'
import { type Http1Answer, Http1Connection } from '../../clients/http1.ts'
import type { Check } from '../../model/check.ts'
import type { HttpFacts } from '../../model/facts.ts'
import type { Connection } from '../../net/connection.ts'
import type { PhaseTimer } from '../../net/phase-timer.ts'
import { encodeName, parseConnectionHeader, parseFarEnd, parseKeepAlive } from '../../wire/far-end-headers.ts'
import { defineKind, type Emit, type Io, type Prober } from '../kind.ts'
import { observeAttempt } from '../observe-attempt.ts'
import { httpFamilies } from './facts.ts'
import type { HttpCheckOptions } from './options.ts'
import { httpMount } from './respond.ts'

/** HTTP/1.1 requests, on a new connection each or on one that is kept between attempts. */
export const http = defineKind<'http', HttpCheckOptions>({
  name: 'http',
  families: httpFamilies,
  mount: httpMount,
  create: (check, io, emit) => new HttpProber(check, io, emit),
})

type Facts = { -readonly [K in keyof HttpFacts]: HttpFacts[K] }

class HttpProber implements Prober {
  readonly runs = 'attempts'
  readonly #check: Check<HttpCheckOptions>
  readonly #io: Io
  readonly #emit: Emit<'http'>
  readonly #headers: OutgoingHttpHeaders
  /** The connection kept for the next attempt; none after a failure. */
  #kept: { readonly connection: Connection; readonly http: Http1Connection } | undefined

  constructor(check: Check<HttpCheckOptions>, io: Io, emit: Emit<'http'>) {
    this.#check = check
    this.#io = io
    this.#emit = emit
    this.#headers = headersOf(check, io.node)
  }

  async attempt(signal: AbortSignal): Promise<void> {
    const facts: Facts = { bytes: 0, reused: false, reconnected: false }
    const seen = await observeAttempt(this.#io, 'http', facts, (timer) =>
      this.#check.connection === 'reused'
        ? this.#onKept(facts, timer, signal)
        : this.#onNew(facts, timer, signal),
    )
    if (seen !== undefined) this.#emit(seen)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#drop()
  }

  async #onNew(facts: Facts, timer: PhaseTimer, signal: AbortSignal): Promise<void> {
    using connection = await this.#dial(facts, timer, signal)
    await this.#exchange(new Http1Connection(connection), facts, timer, signal)
  }

  async #onKept(facts: Facts, timer: PhaseTimer, signal: AbortSignal): Promise<void> {
    if (this.#kept?.http.isOpen !== true) {
      this.#drop()
      facts.reconnected = true
      const connection = await this.#dial(facts, timer, signal)
      this.#kept = { connection, http: new Http1Connection(connection) }
    }
    try {
      await this.#exchange(this.#kept.http, facts, timer, signal)
    } catch (error) {
      this.#drop()
      throw error
    }
    if (!facts.reused) facts.reconnected = true
  }

  async #dial(facts: Facts, timer: PhaseTimer, signal: AbortSignal): Promise<Connection> {
    const { target, options } = this.#check
    const tls = options.tls === true ? tlsOptions(options.host) : undefined
    const connection = await this.#io.dialer.dial({ ...target, tls }, timer, signal)
    if (connection.kernel !== undefined) facts.kernel = connection.kernel
    return connection
  }

  async #exchange(
    http: Http1Connection,
    facts: Facts,
    timer: PhaseTimer,
    signal: AbortSignal,
  ): Promise<void> {
    const { options, target } = this.#check
    const asked = { path: options.path, headers: this.#headers }
    const answer = await http.get(asked, timer, signal)
    facts.status = answer.status
    facts.bytes = answer.bytes
    const announcedIdle = parseKeepAlive(answer.headers)
    if (announcedIdle !== undefined) facts.announcedIdle = announcedIdle
    // Something between us and a responder may make new connections behind ours; a stranger does not count.
    const requests = parseConnectionHeader(answer.headers)?.requests
    facts.reused = requests === undefined ? answer.reused : requests > 1
    if (facts.reused) facts.idleAge = answer.idleAge
    if (options.responder === undefined) acceptStatus(answer)
    else acceptResponder(answer, facts, options.responder.bytes, target.expectNode)
  }

  #drop(): void {
    this.#kept?.connection[Symbol.dispose]()
    this.#kept = undefined
  }
}

function acceptStatus({ status }: Http1Answer): void {
  if (status === 403) throw new BadAnswer('forbidden', 'Answered with status 403')
  if (status < 200 || status >= 400) throw new BadAnswer('http_status', `Answered with status ${status}`)
}

function acceptResponder(
  answer: Http1Answer,
  facts: Facts,
  bytes: number,
  expectNode: string | undefined,
): void {
  const reading = parseFarEnd(answer.headers)
  if (reading.is === 'responder') facts.farEnd = reading.farEnd
  acceptStatus(answer)
  if (reading.is === 'newer') {
    throw new BadAnswer('protocol_version', `The other end speaks protocol version ${reading.protocol}`)
  }
  if (reading.is === 'stranger') {
    throw new BadAnswer('protocol_mismatch', 'An HTTP server answered that is no responder')
  }
  if (expectNode !== undefined && reading.farEnd.node !== expectNode) {
    throw new BadAnswer('wrong_peer', `Expected node "${expectNode}" to answer, got "${reading.farEnd.node}"`)
  }
  // A close-delimited body that was cut short shows in no other way.
  if (answer.bytes < bytes)
    throw new BadAnswer('truncated', `Expected ${bytes} bytes of body, got ${answer.bytes}`)
}

function headersOf({ target, options }: Check<HttpCheckOptions>, node: string): OutgoingHttpHeaders {
  const address = target.family === 6 ? `[${target.address}]` : target.address
  return {
    host: options.host ?? `${address}:${target.port}`,
    'user-agent': 'pathmeter',
    ...(options.responder === undefined ? {} : { 'pathmeter-from': encodeName(node) }),
  }
}

/** The name that TLS asks for and verifies. None for an IP literal, which no client may ask for (RFC 6066, 3). */
function tlsOptions(host: string | undefined): { servername?: string } {
  const name = host?.replace(/:\d+$/, '')
  return name === undefined || isIP(name.replace(/^\[|\]$/g, '')) !== 0 ? {} : { servername: name }
}
