import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

/** Waits for the end of its input, which comes with the end of whoever holds the other end, and cleans up. */
const JANITOR = `
process.stdin.resume().on('end', () => {
  process.getBuiltinModule('node:fs').rmSync(process.argv[1], { recursive: true, force: true })
})`

/**
 * A folder for as long as this process lives, or until it is disposed. A process of its own removes it, so that it goes
 * also when this one is killed.
 */
export async function createTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  // Detached, so that a Ctrl-C in the terminal does not reach it.
  const janitor = spawn(process.execPath, ['--eval', JANITOR, path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const gone = once(janitor, 'exit')
  return {
    path,
    async [Symbol.asyncDispose]() {
      janitor.stdin.end()
      await gone
    },
  }
}
