import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../src/demo/temporary-folder.ts'
import { waitUntil } from '../support/wait-until.ts'

test('temporary folder is gone with all that is in it once it is disposed', async () => {
  const folder = await createTemporaryFolder('pathmeter-test-')
  await writeFile(join(folder.path, 'file'), 'text')
  await folder[Symbol.asyncDispose]()
  expect(existsSync(folder.path)).toBe(false)
})

test('temporary folder goes with the process that made it, also when that is killed', async () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../src/demo/temporary-folder.ts'))
  const script = `
    const { createTemporaryFolder } = await import(${JSON.stringify(module.href)})
    console.log((await createTemporaryFolder('pathmeter-test-')).path)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const path = String(line).trim()
  expect(existsSync(path)).toBe(true)
  child.kill('SIGKILL')
  await waitUntil(() => !existsSync(path), { withinMs: 10_000, everyMs: 10, what: `${path} is gone` })
})
