import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { PATHMETER } from '../support/run-cli.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Four processes start on a machine that is busy with other tests. */
const START = { withinMs: 60_000, what: 'the demo measures' }
const END = { withinMs: 15_000, everyMs: 20 }
const LONG = { timeout: 120_000 }

interface RunningDemo extends AsyncDisposable {
  readonly process: ChildProcess
  /** Agents, responder and janitor, by their command lines. */
  readonly children: ReadonlyMap<number, string>
  readonly folder: string
  /** What it wrote, and its exit code, once it has ended. */
  readonly result: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  /** Resolves once neither a child nor the folder is left. */
  untilGone(): Promise<void>
}

/** Starts a demo and waits until it measures. */
async function startDemo(...options: readonly string[]): Promise<RunningDemo> {
  // Whoever runs the tests may have named this machine; the demo must not care.
  const env = { ...process.env, PATHMETER_NODE: 'elsewhere', PATHMETER_ZONE: 'elsewhere' }
  const child = spawn(PATHMETER, ['demo', ...options], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const stdout = text(child.stdout)
  await waitUntil(() => stderr.includes('\nMeasuring: ') || child.exitCode !== null, START)
  const folder = /logs: (.+)$/m.exec(stderr)?.[1] ?? ''
  const children = new Map(childrenOf(child.pid ?? 0).map((pid) => [pid, commandLine(pid)]))
  const end = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return {
    process: child,
    children,
    folder,
    result: exited.then(async (code) => ({ code, stdout: await stdout, stderr })),
    async untilGone() {
      const left = () => [...children.keys()].filter(isRunning)
      await waitUntil(() => left().length === 0, { ...END, what: 'all children of the demo have ended' })
      await waitUntil(() => !existsSync(folder), { ...END, what: `${folder} is gone` })
    },
    [Symbol.asyncDispose]: end,
  }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
}

/** A process that has ended and that nobody has asked for its exit code counts as ended. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
  return state !== 'Z' && state !== 'X'
}

test(
  'demo --for --json measures every path, prints one document, and leaves nothing behind',
  LONG,
  async () => {
    await using demo = await startDemo('--for', '8s', '--json')
    expect(existsSync(demo.folder)).toBe(true)
    const commands = [...demo.children.values()]
    expect(commands.filter((command) => command.includes('cli.ts agent --config'))).toHaveLength(3)
    expect(commands.filter((command) => command.includes('cli.ts respond --node onprem-1'))).toHaveLength(1)

    const { code, stdout, stderr } = await demo.result
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('Measuring: tcp new every 500ms, http kept every 1s, http new every 2s\n')
    expect(stderr).toMatch(/Every path was measured by every kind, without a failure\n$/)
    const { apiVersion, agents, paths } = JSON.parse(stdout)
    expect(apiVersion).toBe('v1')
    expect(agents).toEqual(
      ['a', 'b', 'c'].map((letter) => ({
        node: `node-${letter}`,
        zone: `zone-${letter}`,
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      })),
    )
    const number = expect.any(Number)
    expect(paths).toHaveLength(36)
    for (const path of paths) {
      expect(path).toEqual({
        src: expect.stringMatching(/^node-[abc]$/),
        dst: expect.stringMatching(/^node-[abc]$|^onprem-1$/),
        dst_zone: expect.stringMatching(/^zone-[abc]$|^dc1$/),
        boundary: expect.stringMatching(/^(cross_zone|on_prem|loopback)$/),
        probe: expect.stringMatching(/^(tcp|http)$/),
        connection: expect.stringMatching(/^(new|reused)$/),
        ok: number,
        failed: 0,
        loss: number,
        // Null where the machine was too busy for its times to count.
        p50_seconds: expect.toSatisfy((value) => value === null || value > 0),
        p99_seconds: expect.toSatisfy((value) => value === null || value > 0),
      })
      expect(path.ok).toBeGreaterThan(0)
    }
    await demo.untilGone()
  },
)

test('demo ends cleanly at Ctrl-C, with the table of what there is', LONG, async () => {
  await using demo = await startDemo()
  demo.process.kill('SIGINT')
  const { code, stdout } = await demo.result
  expect(code).toBe(0)
  expect(stdout).toMatch(/^node-a in zone-a {2}http:\/\/127\.0\.0\.1:\d+\/$/m)
  expect(stdout.match(/^ {2}\S+ +(cross_zone|on_prem|loopback) .* \d+\/\d+$/gm)).toHaveLength(12)
  expect(stdout).not.toContain('\x1b')
  await demo.untilGone()
})

test('demo leaves neither processes nor files when it is killed', LONG, async () => {
  await using demo = await startDemo()
  demo.process.kill('SIGKILL')
  await demo.untilGone()
})

test('demo ends with 1, and the end of the log, when one of its processes dies', LONG, async () => {
  await using demo = await startDemo('--json')
  const [victim = 0] = [...demo.children].find(([, command]) => command.includes('node-b.yaml')) ?? []
  process.kill(victim, 'SIGKILL')
  const { code, stdout, stderr } = await demo.result
  expect(code).toBe(1)
  expect(JSON.parse(stdout).paths).toHaveLength(36)
  expect(stderr).toMatch(/node-b ended with SIGKILL; the end of its log:\n {2}\{[\s\S]*"msg":"started"\}/)
  await demo.untilGone()
})
