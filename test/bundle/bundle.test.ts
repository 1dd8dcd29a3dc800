import { createHash } from 'node:crypto'
import { glob, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { freePorts } from '../../src/demo/free-ports.ts'
import { createTempDir, type TempDir } from '../support/temp-dir.ts'
import { waitUntil } from '../support/wait-until.ts'
import { wordsOf } from './dockerfile.ts'
import { bundle, createImage, entrypoint, type Image } from './image.ts'

let dir: TempDir
let image: Image

beforeAll(async () => {
  dir = await createTempDir()
  const folder = join(dir.path, 'image')
  await mkdir(folder)
  image = await createImage(folder)
})

afterAll(() => dir[Symbol.asyncDispose]())

describe('bundle in a read-only root without root', () => {
  test('these tests run it so', async () => {
    const [node = ''] = entrypoint
    const look = `
      const refused = ['/new', '/opt/pathmeter/new', '/usr/lib/new'].map((path) => {
        try { fs.writeFileSync(path, '') } catch ({ code }) { return code }
      })
      console.log(JSON.stringify({ uid: process.getuid(), groups: process.getgroups(), refused, root: fs.readdirSync('/usr') }))`
    const { stdout } = await image.run(node, '-e', look)
    expect(JSON.parse(stdout)).toEqual({
      uid: 65532,
      groups: [65532],
      refused: ['EROFS', 'EROFS', 'EROFS'],
      root: ['lib', 'lib64'],
    })
  })

  test('says its version', async () => {
    const { stdout } = await image.run(...entrypoint, '--version')
    expect(stdout).toBe(`${manifest.version}\n`)
  })

  test('says what it can do, with nothing on stderr', async () => {
    const { stdout, stderr } = await image.run(...entrypoint, '--help')
    expect(stdout).toMatch(/Usage: pathmeter/)
    for (const command of ['agent', 'probe', 'respond', 'check-config'])
      expect(stdout).toContain(`  ${command}`)
    expect(stderr).toBe('')
  })

  test.each(['agent', 'probe', 'respond', 'check-config'])('carries the command %s', async (command) => {
    const { stdout } = await image.run(...entrypoint, command, '--help')
    expect(stdout).toContain(`pathmeter ${command}`)
  })

  test('measures a responder by the kernel clock, and both end cleanly on SIGTERM', async () => {
    const [web, http, tcp] = await freePorts('127.0.0.1', 3)
    await image.add(
      'etc/pathmeter/pathmeter.yaml',
      `version: 1
node: { name: n1, zone: zone-a }
peers: { static: [{ node: n2, zone: zone-b, address: 127.0.0.1, ports: { http: ${http}, tcp: ${tcp} } }] }
probes: { tcp: { every: 200ms }, http: { reused: { every: 200ms }, new: { every: 200ms } } }
web: { listen: "127.0.0.1:${web}" }
respond: { http: "127.0.0.1:0", tcp: "127.0.0.1:0" }
drain: 0s
`,
    )
    await using responder = await image.start(
      ...entrypoint,
      ...[
        'respond',
        '--node',
        'n2',
        '--drain',
        '0s',
        '--http',
        `127.0.0.1:${http}`,
        '--tcp',
        `127.0.0.1:${tcp}`,
      ],
    )
    await using agent = await image.start(...entrypoint, ...wordsOf('CMD'))
    const url = `http://127.0.0.1:${web}`
    const measured = await waitUntil(() => measuredBy(url), {
      withinMs: 15_000,
      what: `${url} measures tcp and http`,
    }).catch((error) => {
      throw new Error(`${agent.output()}${responder.output()}`, { cause: error })
    })
    expect(measured).toEqual({ kernelClock: true })
    expect((await fetch(`${url}/-/ready`)).status).toBe(200)
    for (const process of [agent, responder]) {
      process.signal('SIGTERM')
      expect(await process.exited).toBe(0)
    }
  })
})

/** What an agent says once it has reached n2 by tcp and by http, on new and on kept connections; undefined until then. */
async function measuredBy(url: string): Promise<{ readonly kernelClock: boolean } | undefined> {
  const text = await fetch(`${url}/metrics`).then((response) => response.text(), whileStarting)
  const succeeded = text?.match(/^pathmeter_probes_total\{dst="n2",.*result="ok"\} [1-9]/gm) ?? []
  const ways = [
    'probe="tcp",connection="new"',
    'probe="http",connection="new"',
    'probe="http",connection="reused"',
  ]
  if (text === undefined || !ways.every((way) => succeeded.some((line) => line.includes(way))))
    return undefined
  return { kernelClock: /^pathmeter_clock\{source="kernel"\} 1$/m.test(text) }
}

function whileStarting(error: TypeError): undefined {
  // Fetch wraps what went wrong with the connection.
  if (!(error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ECONNREFUSED'))
    throw error
}

describe('build', () => {
  test('makes the same bytes again', async () => {
    const [again, first] = [join(dir.path, 'again'), join(dir.path, 'image/opt/pathmeter')]
    await bundle(again)
    const hashes = await hashesOf(again)
    expect(Object.keys(hashes).sort()).toEqual(
      expect.arrayContaining(['THIRD-PARTY-LICENSES.txt', 'node_modules/koffi/index.js', 'pathmeter.mjs']),
    )
    const { node, ...built } = await hashesOf(first)
    expect(node).toBeDefined()
    expect(built).toEqual(hashes)
  })

  test('tells the licence of every package it carries', async () => {
    const text = await readFile(join(dir.path, 'image/opt/pathmeter/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of Object.keys(manifest.dependencies).concat('koffi'))
      expect(text).toContain(`== ${name} `)
  })
})

async function hashesOf(folder: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    hashes[path.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return hashes
}
