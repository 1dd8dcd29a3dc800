import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const PATHMETER = join(import.meta.dirname, '../../bin/pathmeter')

export interface CliResult {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program to its end. @param env what differs from this process's environment */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const child = spawn(PATHMETER, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve).once('error', reject)
  })
  const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}
