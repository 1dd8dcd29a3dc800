import { createHash } from 'node:crypto'
import { glob, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createTempDir, type TempDir } from '../support/temp-dir.ts'
import { waitUntil } from '../support/wait-until.ts'
import { wordsOf } from './dockerfile.ts'
import { bundle, createImage, entrypoint, type Image } from './image.ts'

/** An agent alone: its only path is the one to itself. */
const config = `version: 1
node: { name: n1, zone: zone-a }
peers: { static: [] }
drain: 0s
web: { listen: "127.0.0.1:0" }
respond: { http: "127.0.0.1:0", tcp: "127.0.0.1:0" }
probes: { tcp: { every: 100ms }, http: { reused: { every: 100ms }, new: { every: 100ms } } }
`

let dir: TempDir
let image: Image

beforeAll(async () => {
  dir = await createTempDir()
  const folder = join(dir.path, 'image')
  await mkdir(folder)
  image = await createImage(folder)
  await image.add('etc/pathmeter/pathmeter.yaml', config)
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

  test('measures itself by the kernel clock and ends cleanly on SIGTERM', async () => {
    await using agent = await image.start(...entrypoint, ...wordsOf('CMD'))
    const ended = agent.exited.then((code) => {
      throw new Error(`Agent ended with ${code}: ${agent.output()}`)
    })
    const work = (async () => {
      const url = await waitUntil(() => /"web":"([^"]+)"/.exec(agent.output())?.[1], {
        withinMs: 15_000,
        what: 'the agent says where its web surface is',
      })
      await waitUntil(async () => (await metricsOf(url)).measured, {
        withinMs: 15_000,
        what: 'tcp and http succeed',
      })
      return { url, kernel: (await metricsOf(url)).kernel, ready: (await fetch(`${url}/-/ready`)).status }
    })()
    ended.catch(() => undefined)
    expect(await Promise.race([work, ended])).toMatchObject({ kernel: true, ready: 200 })
    agent.signal('SIGTERM')
    expect(await agent.exited).toBe(0)
  })
})

async function metricsOf(url: string): Promise<{ measured: boolean; kernel: boolean }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const succeeded = (kind: string) =>
    text
      .split('\n')
      .some(
        (line) =>
          line.startsWith('pathmeter_probes_total{') &&
          line.includes(`probe="${kind}"`) &&
          line.includes('result="ok"') &&
          Number(line.split(' ').at(-1)) > 0,
      )
  return {
    measured: succeeded('tcp') && succeeded('http'),
    kernel: /^pathmeter_clock\{source="kernel"\} 1$/m.test(text),
  }
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
