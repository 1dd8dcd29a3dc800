import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RunningChild, startChild } from '../support/child-process.ts'
import { findFreePort } from '../support/free-port.ts'
import { ask } from '../support/http-get.ts'
import { PATHMETER, runCli } from '../support/run-cli.ts'
import { waitUntil } from '../support/wait-until.ts'

// Processes that start while others do.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

interface RespondProcess extends RunningChild {
  readonly http: string
  readonly tcp: string
}

async function startRespond(options: readonly string[] = [], ipc = false): Promise<RespondProcess> {
  const child = await startChild({
    command: PATHMETER,
    args: [
      'respond',
      '--node',
      'onprem-1',
      '--zone',
      'dc1',
      '--http',
      '127.0.0.1:0',
      '--tcp',
      '127.0.0.1:0',
      ...options,
    ],
    ipc,
  })
  const answering = await waitUntil(() => /\{.*"msg":"answering"\}/.exec(child.output())?.[0], {
    withinMs: 60_000,
    what: 'the responder answers',
  })
  const { http, tcp }: { http: string; tcp: string } = JSON.parse(answering)
  return { ...child, http, tcp }
}

let responder: RespondProcess
beforeAll(async () => {
  responder = await startRespond(['--drain', '0s'])
})
afterAll(() => responder[Symbol.asyncDispose]())

const QUICK = ['--count', '3', '--interval', '100ms']

describe('probe against respond', () => {
  test('of tcp prints a row each and a summary, and exits with 0', async () => {
    const { code, stdout, stderr } = await runCli(['probe', 'tcp', responder.tcp, '--responder', ...QUICK])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`tcp to ${responder.tcp}: 3 attempts, 100ms apart, on a new connection each\n`)
    expect(stdout.match(/^\d\d:\d\d:\d\d {2}ok .* onprem-1$/gm)).toHaveLength(3)
    expect(stdout).toMatch(/\n\n3 ok, 0 failed: .*kernel RTT p50 /)
    expect(stdout).not.toContain('\x1b')
  })

  test('of http on a kept connection makes one, and says in JSON what each attempt was', async () => {
    const { code, stdout, stderr } = await runCli([
      'probe',
      'http',
      responder.http,
      '--responder',
      '--kept',
      '--json',
      ...QUICK,
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({
      apiVersion: 'v1',
      probe: 'http',
      connection: 'reused',
      target: responder.http,
      resolved: ['127.0.0.1'],
      address: '127.0.0.1',
      summary: { attempts: 3, ok: 3, failed: 0, loss: 0 },
    })
    const [first, ...others] = document.attempts
    expect(first).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ok: true,
      node: 'onprem-1',
      rtt_seconds: expect.any(Number),
      syn_retransmits: 0,
      residence_seconds: expect.any(Number),
    })
    expect(Object.keys(first.phases_seconds)).toEqual([
      'connect',
      'request',
      'first_byte',
      'transfer',
      'other',
    ])
    expect(others).toHaveLength(2)
    for (const attempt of others) expect(attempt.phases_seconds).not.toHaveProperty('connect')
    for (const { duration_seconds, phases_seconds } of document.attempts) {
      const sum = Object.values<number>(phases_seconds).reduce((a, b) => a + b)
      expect(duration_seconds).toBeCloseTo(sum, 9)
    }
  })

  test('of a name says what it is, before the first row', async () => {
    const port = responder.http.split(':').at(-1)
    const { code, stdout } = await runCli([
      'probe',
      'http',
      `http://localhost:${port}/pathmeter`,
      '--responder',
      '--family',
      '4',
      '--count',
      '1',
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^localhost is 127\.0\.0\.1\nhttp to 127\.0\.0\.1:/)
    expect(stdout).toContain('each gets /pathmeter/v1/echo?size=512 of a responder, within 8s; times in ms')
  })

  test('that is another node than expected fails', async () => {
    const { code, stdout } = await runCli([
      'probe',
      'tcp',
      responder.tcp,
      '--expect',
      'onprem-2',
      '--count',
      '1',
      '--json',
    ])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      attempts: [
        { ok: false, reason: 'wrong_peer', detail: 'Expected node "onprem-2" to answer, got "onprem-1"' },
      ],
      summary: { ok: 0, failed: 1, loss: 1 },
    })
  })

  test('ends at Ctrl-C with the summary of what there is', async () => {
    const args = ['probe', 'tcp', responder.tcp, '--responder', '--count', '1000', '--interval', '1h']
    await using probe = await startChild({ command: PATHMETER, args })
    await waitUntil(() => /^\S+ {2}ok /m.test(probe.output()), { withinMs: 60_000, what: 'the first row' })
    probe.signal('SIGINT')
    expect(await probe.exited).toBe(0)
    expect(probe.output()).toMatch(/\n\n1 ok, 0 failed/)
  })
})

describe('probe of what is not ours', () => {
  test('takes a plain server for what it is, over tcp and http', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const [tcp, http, responder] = await Promise.all([
        runCli(['probe', 'tcp', target, '--count', '1', '--json']),
        runCli(['probe', 'http', target, '--count', '1', '--json']),
        runCli(['probe', 'http', target, '--count', '1', '--json', '--responder']),
      ])
      expect(JSON.parse(tcp.stdout)).toMatchObject({ attempts: [{ ok: true }] })
      expect(JSON.parse(http.stdout)).toMatchObject({ attempts: [{ ok: true }] })
      expect([tcp.code, http.code, responder.code]).toEqual([0, 0, 1])
      expect(JSON.parse(responder.stdout)).toMatchObject({ attempts: [{ ok: false }] })
    } finally {
      server.close()
    }
  })

  test('exits with 1 where nothing listens, with the reason under the row', async () => {
    const { code, stdout } = await runCli([
      'probe',
      'tcp',
      `127.0.0.1:${await findFreePort()}`,
      '--count',
      '1',
    ])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^\S+ {2}failed .*\n {10}refused in connect: connect ECONNREFUSED 127\.0\.0\.1:\d+\n\n0 ok, 1 failed\n$/m,
    )
  })

  test('exits with 1 where the name has no such address, and says it in JSON too', async () => {
    const { code, stdout, stderr } = await runCli(['probe', 'tcp', '127.0.0.1:1', '--family', '6', '--json'])
    const problem = 'Cannot probe "127.0.0.1" over IPv6: it has only 127.0.0.1'
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${problem}\n` })
    expect(JSON.parse(stdout)).toMatchObject({
      apiVersion: 'v1',
      problem,
      attempts: [],
      summary: { attempts: 0 },
    })
  })
})

describe('respond', () => {
  const LIMIT = { withinMs: 60_000, everyMs: 10 }

  async function isDraining({ http }: RespondProcess): Promise<boolean> {
    const answer = await ask(Number(http.split(':').at(-1)), '/v1/echo')
    return answer.headers['pathmeter-draining'] === 'true'
  }

  test('announces its end for as long as it is told, and exits with 0', async () => {
    await using process = await startRespond(['--drain', '1s'])
    expect(await isDraining(process)).toBe(false)
    const start = performance.now()
    process.signal('SIGTERM')
    await waitUntil(() => isDraining(process), { ...LIMIT, what: 'the responder says that it drains' })
    expect(await process.exited).toBe(0)
    expect(performance.now() - start).toBeGreaterThanOrEqual(1000)
  })

  test('ends at once at a second signal', async () => {
    await using process = await startRespond(['--drain', '10m'])
    process.signal('SIGINT')
    await waitUntil(() => isDraining(process), { ...LIMIT, what: 'the responder says that it drains' })
    process.signal('SIGINT')
    expect(await process.exited).toBe(1)
  })

  test('exits with 1 when its port is taken', async () => {
    const { code, stdout } = await runCli(['respond', '--http', responder.http, '--tcp', '127.0.0.1:0'])
    expect(code).toBe(1)
    expect(stdout).toContain(`Cannot listen for http on ${responder.http}`)
  })

  test('ends with the process that holds a channel to it, also while it starts', async () => {
    for (const after of ['"msg":"answering"', '']) {
      const child = spawnWithChannel()
      let output = ''
      child.stdout?.on('data', (text) => {
        output += text
      })
      await waitUntil(() => output.includes(after), { ...LIMIT, what: after })
      child.disconnect()
      const [code] = await once(child, 'exit')
      expect(code).toBe(0)
    }
  })

  function spawnWithChannel(): ChildProcess {
    const args = ['respond', '--http', '127.0.0.1:0', '--tcp', '127.0.0.1:0', '--drain', '10m']
    return spawn(PATHMETER, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  }
})
