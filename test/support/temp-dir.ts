import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TempDir extends AsyncDisposable {
  readonly path: string
}

/** A folder of its own, removed with all that is in it on disposal. */
export async function createTempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), 'pathmeter-test-'))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
