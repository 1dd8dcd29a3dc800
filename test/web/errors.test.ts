import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { createWebApp, type WebOptions } from '../../src/web/app.ts'
import { ERRORS, type ErrorCode } from '../../src/web/errors.ts'
import type { WebInput } from '../../src/web/input.ts'
import { fakeInput } from './fake-input.ts'

interface Seen {
  readonly status: number
  readonly code: string
  readonly message: string
}

const JSON_ACCEPT = { accept: 'application/json' }
const apps: FastifyInstance[] = []

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** How each error of the catalogue is met. A new code does not compile until it is here. */
const MET: Readonly<Record<ErrorCode, () => Promise<Seen>>> = {
  bad_request: () => bySocket('no http at all\r\n\r\n'),
  bad_url: () => byInject('/probe/peer/%zz', { headers: JSON_ACCEPT }),
  bad_parameter: () => byInject('/api/v1/paths?window=1'),
  unknown_parameter: () => byInject('/api/v1/paths?zone=a'),
  probe_target_unsupported: () => byInject('/probe?target=example.com', { headers: JSON_ACCEPT }),
  not_local: () => byInject('/-/reload', { method: 'POST', remoteAddress: '10.0.0.5' }),
  not_found: () => byInject('/api/v2/paths'),
  unknown_peer: () => byInject('/probe/peer/n9', { headers: JSON_ACCEPT }),
  unknown_kind: () => byInject('/probe/peer/n2/grpc', { headers: JSON_ACCEPT }),
  method_not_allowed: () => byInject('/api/v1/paths', { method: 'DELETE' }),
  request_timeout: () =>
    bySocket('GET /metrics HTTP/1.1\r\nHost: a\r\n', {
      limits: { headersTimeoutMs: 50, requestTimeoutMs: 50, checkingIntervalMs: 20 },
    }),
  body_too_large: () =>
    byInject('/-/reload', {
      method: 'POST',
      payload: 'x'.repeat(2000),
      headers: { 'content-type': 'text/plain' },
    }),
  configuration_refused: () =>
    byInject('/-/reload', { method: 'POST' }, { reload: async () => ({ ok: false, problems: [] }) }),
  too_many_runs: () => byInject('/probe/peer/n2', { headers: JSON_ACCEPT }, {}, { limits: { freshRuns: 0 } }),
  header_too_large: () => bySocket(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(9000)}\r\n\r\n`),
  internal: () =>
    byInject('/metrics', {}, { metrics: () => Promise.reject(new Error('secret of the store')) }),
  closing: closeDuringRun,
  not_ready: () => byInject('/-/ready', {}, { readiness: () => ({ ready: false, why: 'draining' }) }),
}

describe('errors', () => {
  for (const [code, { status, when }] of Object.entries(ERRORS)) {
    it(`${code} is answered with ${status} when ${when}`, async () => {
      const seen = await MET[code as ErrorCode]()
      expect(seen).toMatchObject({ code, status })
      expect(seen.message).toMatch(/^(Cannot|Not ready)/)
    })
  }

  it('an internal error does not tell the client what went wrong inside', async () => {
    expect((await MET.internal()).message).not.toContain('secret')
  })

  it('an answer to a method that is not served says which are', async () => {
    const answer = await track(createWebApp(fakeInput())).inject({ url: '/-/reload', method: 'GET' })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('POST')
  })

  it('too many runs say when to come back', async () => {
    const app = track(createWebApp(fakeInput(), { limits: { freshRuns: 0 } }))
    const answer = await app.inject('/probe/peer/n2')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('a connection that ends without a request gets no answer and no fault', async () => {
    const app = track(createWebApp(fakeInput()))
    const socket = connect(await listen(app), '127.0.0.1')
    socket.end()
    expect(await text(socket)).toBe('')
  })
})

async function byInject(
  url: string,
  request: InjectOptions = {},
  input: Partial<WebInput> = {},
  options: WebOptions = {},
): Promise<Seen> {
  const app = track(createWebApp(fakeInput(input), options))
  const answer = await app.inject({ url, ...request })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  return { status: answer.statusCode, ...answer.json().error }
}

async function bySocket(bytes: string, options: WebOptions = {}): Promise<Seen> {
  const app = track(createWebApp(fakeInput(), options))
  const socket = connect(await listen(app), '127.0.0.1')
  socket.write(bytes)
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), ...JSON.parse(body).error }
}

async function closeDuringRun(): Promise<Seen> {
  const started = Promise.withResolvers<void>()
  const app = createWebApp(
    fakeInput({
      probe: async (_request, signal) => {
        started.resolve()
        await once(signal, 'abort')
        throw signal.reason
      },
    }),
  )
  const answering = app.inject({ url: '/probe/peer/n2', headers: JSON_ACCEPT })
  // A light-my-request chain starts when it is awaited.
  const answer = Promise.resolve(answering)
  await started.promise
  await app.close()
  const { statusCode, json } = await answer
  return { status: statusCode, ...json().error }
}

async function listen(app: FastifyInstance): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
}

function track(app: FastifyInstance): FastifyInstance {
  apps.push(app)
  return app
}
