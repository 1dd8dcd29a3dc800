import { describe, expect, it } from 'vitest'
import { createWebApp } from '../../../src/web/app.ts'
import type { ReloadResult } from '../../../src/web/input.ts'
import { fakeInput } from '../fake-input.ts'

describe('health', () => {
  it('is told without asking anything of the agent', async () => {
    const answer = await createWebApp(fakeInput({ readiness: fail, paths: fail })).inject('/-/healthy')
    expect([answer.statusCode, answer.body]).toEqual([200, 'healthy\n'])
  })

  it('readiness is 200 or 503, both with the reason', async () => {
    const ready = await createWebApp(fakeInput({ readiness: () => ({ ready: true, why: 'loaded' }) })).inject(
      '/-/ready',
    )
    expect([ready.statusCode, ready.body]).toEqual([200, 'ready: loaded\n'])
    const not = await createWebApp(
      fakeInput({ readiness: () => ({ ready: false, why: 'draining' }) }),
    ).inject('/-/ready')
    expect(not.statusCode).toBe(503)
    expect(not.json()).toEqual({ error: { code: 'not_ready', message: 'Not ready: draining' } })
  })
})

describe('reload', () => {
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) {
    it(`is done for ${address}`, async () => {
      const answer = await post(address)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({
        apiVersion: 'v1',
        applied: ['probes.tcp.every'],
        needs_restart: [],
      })
    })
  }

  for (const address of [
    '10.0.0.5',
    '::ffff:10.0.0.5',
    '1.127.0.0',
    '12.7.0.1',
    '128.0.0.1',
    'fe80::1',
    '::2',
  ]) {
    it(`is refused for ${address}, whatever its headers claim`, async () => {
      let reloads = 0
      const reload = async (): Promise<ReloadResult> => {
        reloads++
        return { ok: true, applied: [], needsRestart: [] }
      }
      const answer = await createWebApp(fakeInput({ reload })).inject({
        method: 'POST',
        url: '/-/reload',
        remoteAddress: address,
        headers: { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' },
      })
      expect(answer.statusCode).toBe(403)
      expect(answer.json().error.message).toContain(address)
      expect(reloads).toBe(0)
    })
  }

  it('is refused to a page of another site in a browser on this machine', async () => {
    expect((await post('127.0.0.1', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await post('127.0.0.1', { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
  })

  it('ignores a small body of any type, as command-line clients send one', async () => {
    expect(
      (await post('127.0.0.1', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode,
    ).toBe(200)
  })

  it('of a bad file answers every problem with its path', async () => {
    const problems = [
      {
        path: 'probes.tcp.every',
        message: 'Cannot parse "probes.tcp.every": must be at least 100ms, got "5ms"',
      },
    ]
    const answer = await createWebApp(fakeInput({ reload: async () => ({ ok: false, problems }) })).inject({
      method: 'POST',
      url: '/-/reload',
    })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().error).toEqual({
      code: 'configuration_refused',
      message: 'Cannot reload: the file has 1 problem; the configuration in force stays',
      problems,
    })
  })
})

function post(remoteAddress: string, headers: Record<string, string> = {}) {
  return createWebApp(fakeInput()).inject({
    method: 'POST',
    url: '/-/reload',
    remoteAddress,
    headers,
    payload: '',
  })
}

function fail(): never {
  throw new Error('Cannot be asked')
}
