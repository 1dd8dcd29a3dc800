import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createWebApp } from '../../../src/web/app.ts'
import { fakeInput } from '../fake-input.ts'

const BODY = 'pathmeter_probes_total{dst="n2"} 1\n'.repeat(500)
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

describe('/metrics', () => {
  it('passes Accept on and answers in the format that the registry chose', async () => {
    const accepts: (string | undefined)[] = []
    const app = createWebApp(
      fakeInput({
        metrics: async (accept) => {
          accepts.push(accept)
          return { contentType: OPEN_METRICS, body: BODY }
        },
      }),
    )
    const answer = await app.inject({
      url: '/metrics',
      headers: { accept: 'application/openmetrics-text;q=0.7' },
    })
    expect(accepts).toEqual(['application/openmetrics-text;q=0.7'])
    expect(answer.headers['content-type']).toBe(OPEN_METRICS)
    expect(answer.headers['vary']).toBe('Accept, Accept-Encoding')
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.body).toBe(BODY)
  })

  it('is compressed when asked', async () => {
    const answer = await appWithBody().inject({ url: '/metrics', headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.byteLength))
    expect(gunzipSync(answer.rawPayload).toString()).toBe(BODY)
  })

  it('is not compressed for a client that refuses gzip', async () => {
    const answer = await appWithBody().inject({ url: '/metrics', headers: { 'accept-encoding': 'gzip;q=0' } })
    expect(answer.body).toBe(BODY)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const request = { url: '/metrics', headers: { 'accept-encoding': encoding } }
      const get = await appWithBody().inject(request)
      const head = await appWithBody().inject({ ...request, method: 'HEAD' })
      expect(head.statusCode).toBe(200)
      expect(head.body).toBe('')
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    }
  })
})

function appWithBody() {
  return createWebApp(
    fakeInput({ metrics: async () => ({ contentType: 'text/plain; version=0.0.4', body: BODY }) }),
  )
}
