import { once } from 'node:events'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { createWebApp } from '../../src/web/app.ts'
import { DEFAULT_LIMITS } from '../../src/web/limits.ts'
import { fakeInput } from './fake-input.ts'

const BODY = 'pathmeter_probes_total{dst="n2"} 1\n'.repeat(5000)
const apps: FastifyInstance[] = []

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

describe('listening on a real socket', () => {
  it('a reload from this machine is done', async () => {
    const url = await listen(fakeInput())
    const answer = await fetch(`${url}/-/reload`, { method: 'POST' })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ needs_restart: [] }),
    ])
  })

  it('metrics arrive compressed on the wire', async () => {
    const url = await listen(fakeInput({ metrics: async () => ({ contentType: 'text/plain', body: BODY }) }))
    const [response] = await once(
      request(`${url}/metrics`, { headers: { 'accept-encoding': 'gzip' } }).end(),
      'response',
    )
    const wire = await buffer(response)
    expect(wire.byteLength).toBeLessThan(BODY.length / 50)
    expect(gunzipSync(wire).toString()).toBe(BODY)
  })

  it('a run of fresh probes is aborted when its only client goes, without an error in the log', async () => {
    const started = Promise.withResolvers<AbortSignal>()
    const ended = Promise.withResolvers<void>()
    const url = await listen(
      fakeInput({
        probe: async (_request, signal) => {
          started.resolve(signal)
          await once(signal, 'abort')
          ended.resolve()
          throw signal.reason
        },
      }),
    )
    const client = new AbortController()
    const refused = expect(fetch(`${url}/probe/peer/n2`, { signal: client.signal })).rejects.toThrow()
    const signal = await started.promise
    expect(signal.aborted).toBe(false)
    client.abort()
    await ended.promise
    await refused
    expect((await fetch(`${url}/-/healthy`)).status).toBe(200)
    expect(errors).toEqual([])
  })

  it('an error inside is logged with its cause', async () => {
    const url = await listen(fakeInput({ metrics: () => Promise.reject(new Error('broken store')) }))
    expect((await fetch(`${url}/metrics`)).status).toBe(500)
    expect(errors).toEqual(['broken store'])
  })

  it('connections, headers and idle time are bounded', async () => {
    const app = createWebApp(fakeInput())
    expect(app.server.maxConnections).toBe(DEFAULT_LIMITS.connections)
    expect(app.server.headersTimeout).toBe(DEFAULT_LIMITS.headersTimeoutMs)
    expect(app.server.requestTimeout).toBe(DEFAULT_LIMITS.requestTimeoutMs)
    expect(app.server.keepAliveTimeout).toBe(DEFAULT_LIMITS.keepAliveTimeoutMs)
    expect(app.server.timeout).toBe(DEFAULT_LIMITS.connectionTimeoutMs)
    await app.close()
  })
})

const errors: string[] = []

async function listen(input: Parameters<typeof createWebApp>[0]): Promise<string> {
  errors.length = 0
  const app = createWebApp(input, { logger: recordingLogger() })
  apps.push(app)
  return app.listen({ host: '127.0.0.1', port: 0 })
}

function recordingLogger(): NonNullable<NonNullable<Parameters<typeof createWebApp>[1]>['logger']> {
  const silent = () => undefined
  const logger = {
    level: 'info',
    fatal: silent,
    error: (fields: { err: Error }) => {
      errors.push(fields.err.message)
    },
    warn: silent,
    info: silent,
    debug: silent,
    trace: silent,
    silent,
    child: () => logger,
  }
  return logger
}
