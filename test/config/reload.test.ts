import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { type ConfigWatch, type WatchOptions, watchConfig } from '../../src/config/reload.ts'
import type { Config } from '../../src/config/schema.ts'
import type { Problem } from '../../src/model/problem.ts'

const environment = { variables: {}, hostname: 'n1' }
const base = 'version: 1\npeers: { static: [{ node: n2, address: 10.0.0.2 }] }\n'
const low = `${base}probes: { rate: low }\n`
const bad = `${base}probes: { rate: slow }\n`
const badProblem = { path: 'probes.rate', message: 'must be normal or low, got "slow"' }
/** So often that a test need not wait. */
const POLL_EVERY = 0.01
/** Polls that no test waits for. */
const NEVER = 3600

let folder: string
let file: string
let wall: number
const looks = new EventEmitter()
const changes = vi.fn<WatchOptions['onChange']>()
const problems = vi.fn<WatchOptions['onProblems']>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pathmeter-reload-'))
  file = join(folder, 'pathmeter.yaml')
  wall = 1000
  changes.mockReset()
  problems.mockReset()
  await writeFile(file, base)
})
afterEach(() => rm(folder, { recursive: true }))

/** Replaces the file at once: a poll must not see half of it. */
async function write(text: string, to = file): Promise<void> {
  await writeFile(`${to}.new`, text)
  await rename(`${to}.new`, to)
}

async function start(options: Partial<WatchOptions> = {}): Promise<ConfigWatch> {
  const loaded = await loadConfig(file, environment)
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return watchConfig({
    environment,
    initial: loaded.config,
    clock: { now: () => 0, wall: () => wall },
    pollEvery: NEVER,
    onChange: changes,
    onProblems: problems,
    ...options,
    get file() {
      looks.emit('look')
      return file
    },
  })
}

/** Ends when the file was looked at so many times from now on, and the looks but for the last are over. */
async function looksAtFile(times: number): Promise<void> {
  for (let i = 0; i < times; i++) await once(looks, 'look')
}

function gauges(watch: ConfigWatch): Record<string, number | undefined> {
  return Object.fromEntries(
    [...watch.collect(0)].map(({ family, samples }) => [family.name, [...samples][0]?.value]),
  )
}

function nextChange(): Promise<Config> {
  return new Promise((resolve) => changes.mockImplementationOnce(resolve))
}

function nextProblems(): Promise<readonly Problem[]> {
  return new Promise((resolve) => problems.mockImplementationOnce(resolve))
}

describe('a reload', () => {
  test('puts a new configuration in force and says which keys', async () => {
    await using watch = await start()
    await write(low)
    wall = 2000
    expect(await watch.reload()).toEqual({ ok: true, applied: ['probes.rate'], needsRestart: [] })
    expect(watch.config.probes.rate).toBe('low')
    expect(changes).toHaveBeenCalledExactlyOnceWith(watch.config, {
      effective: watch.config,
      applied: ['probes.rate'],
      needsRestart: [],
    })
    expect(gauges(watch)).toEqual({
      config_last_reload_successful: 1,
      config_last_reload_success_timestamp_seconds: 2000,
    })
  })

  test('of an unchanged file succeeds and changes nothing', async () => {
    await using watch = await start()
    expect(await watch.reload()).toEqual({ ok: true, applied: [], needsRestart: [] })
    expect(changes).not.toHaveBeenCalled()
  })

  test('leaves the keys that need a restart as they are, and says so each time', async () => {
    await using watch = await start()
    await write(`${low}web: { listen: ":9799" }\n`)
    expect(await watch.reload()).toEqual({ ok: true, applied: ['probes.rate'], needsRestart: ['web.listen'] })
    expect(watch.config.web.listen.port).toBe(9700)
    expect(await watch.reload()).toEqual({ ok: true, applied: [], needsRestart: ['web.listen'] })
  })

  test('of a bad file keeps the old configuration and says what is wrong', async () => {
    await using watch = await start()
    const { config } = watch
    await write(bad)
    wall = 2000
    expect(await watch.reload()).toEqual({ ok: false, problems: [badProblem] })
    expect(problems).toHaveBeenCalledExactlyOnceWith([badProblem])
    expect(changes).not.toHaveBeenCalled()
    expect(watch.config).toBe(config)
    expect(gauges(watch)).toEqual({
      config_last_reload_successful: 0,
      config_last_reload_success_timestamp_seconds: 1000,
    })
  })

  test('of a missing file keeps the old configuration', async () => {
    await using watch = await start()
    await rm(file)
    expect(await watch.reload()).toEqual({
      ok: false,
      problems: [{ path: '', message: 'there is no such file' }],
    })
    expect(gauges(watch)).toMatchObject({ config_last_reload_successful: 0 })
  })

  test('succeeds again once the file is as it was', async () => {
    await using watch = await start()
    await write(bad)
    await watch.reload()
    await write(base)
    expect(await watch.reload()).toEqual({ ok: true, applied: [], needsRestart: [] })
    expect(gauges(watch)).toMatchObject({ config_last_reload_successful: 1 })
  })

  test('holds the file to the rules of others too', async () => {
    const problem = { path: 'probes', message: 'must stay below 100 attempts a second, got 120' }
    await using watch = await start({ check: ({ probes }) => (probes.rate === 'low' ? [problem] : []) })
    await write(low)
    expect(await watch.reload()).toEqual({ ok: false, problems: [problem] })
    expect(watch.config.probes.rate).toBe('normal')
  })

  test('that cannot be put in force is a problem, and the next one tries again', async () => {
    await using watch = await start()
    await write(low)
    changes.mockRejectedValueOnce(new Error('no room'))
    expect(await watch.reload()).toEqual({
      ok: false,
      problems: [{ path: '', message: 'cannot be put in force: no room' }],
    })
    expect(watch.config.probes.rate).toBe('normal')
    expect(await watch.reload()).toEqual({ ok: true, applied: ['probes.rate'], needsRestart: [] })
  })

  test('waits for the one before it', async () => {
    const steps: string[] = []
    const started = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    changes.mockImplementation(async ({ probes, log }) => {
      steps.push(`begin ${probes.rate} ${log.level}`)
      started.resolve()
      await release.promise
      steps.push(`end ${probes.rate} ${log.level}`)
    })
    await using watch = await start()
    await write(low)
    const first = watch.reload()
    await started.promise
    await write(`${low}log: { level: debug }\n`)
    const second = watch.reload()
    // Time enough for the second one, if nothing held it.
    for (let i = 0; i < 5; i++) await loadConfig(file, environment)
    release.resolve()
    expect(await first).toMatchObject({ applied: ['probes.rate'] })
    expect(await second).toMatchObject({ applied: ['log.level'] })
    expect(steps).toEqual(['begin low info', 'end low info', 'begin low debug', 'end low debug'])
  })

  test('after the end reads nothing', async () => {
    const watch = await start()
    await watch[Symbol.asyncDispose]()
    await write(low)
    expect(await watch.reload()).toMatchObject({ ok: false })
    expect(changes).not.toHaveBeenCalled()
  })

  test('that is under way holds up the end', async () => {
    const watch = await start()
    const release = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    changes.mockImplementation(() => {
      started.resolve()
      return release.promise
    })
    await write(low)
    const reload = watch.reload()
    await started.promise
    const order: string[] = []
    const end = watch[Symbol.asyncDispose]().then(() => order.push('ended'))
    void reload.then(() => order.push('reloaded'))
    release.resolve()
    await end
    expect(order).toEqual(['reloaded', 'ended'])
  })
})

describe('polling the file', () => {
  test('finds a change', async () => {
    const changed = nextChange()
    await using watch = await start({ pollEvery: POLL_EVERY })
    await write(low)
    expect((await changed).probes.rate).toBe('low')
    expect(watch.families).toHaveLength(2)
  })

  test('takes a swap of symlinks for one change', async () => {
    await rm(file)
    await mkdir(join(folder, '..v1'))
    await writeFile(join(folder, '..v1', 'pathmeter.yaml'), base)
    await symlink('..v1', join(folder, '..data'))
    await symlink(join('..data', 'pathmeter.yaml'), file)
    await using _watch = await start({ pollEvery: POLL_EVERY })
    await looksAtFile(2)

    await mkdir(join(folder, '..v2'))
    await writeFile(join(folder, '..v2', 'pathmeter.yaml'), low)
    await symlink('..v2', join(folder, '..data_tmp'))
    const changed = nextChange()
    await rename(join(folder, '..data_tmp'), join(folder, '..data'))
    await changed
    await rm(join(folder, '..v1'), { recursive: true })

    await looksAtFile(5)
    expect(changes).toHaveBeenCalledTimes(1)
    expect(problems).not.toHaveBeenCalled()
  })

  test('tells a bad file once, however often it looks', async () => {
    const told = nextProblems()
    await using _watch = await start({ pollEvery: POLL_EVERY })
    await write(bad)
    expect(await told).toEqual([badProblem])
    await looksAtFile(5)
    expect(problems).toHaveBeenCalledTimes(1)
  })

  test('takes a file only when its content is new', async () => {
    const check = vi.fn(() => [])
    await using _watch = await start({ pollEvery: POLL_EVERY, check })
    await looksAtFile(5)
    expect(check).toHaveBeenCalledTimes(1)
    await write(`${base}# touched\n`)
    await looksAtFile(5)
    expect(check).toHaveBeenCalledTimes(2)
    expect(changes).not.toHaveBeenCalled()
  })

  test('does not keep the process alive', async () => {
    using timers = vi.spyOn(globalThis, 'setTimeout')
    await using _watch = await start()
    const polling = timers.mock.calls.findIndex(([, delay]) => delay === NEVER * 1000)
    expect(timers.mock.results[polling]?.value.hasRef()).toBe(false)
  })
})
