import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** How long a child may take to end before it is killed. */
const END_LIMIT_MS = 5000
/** Lines of a log that are shown of a child that failed. */
const TAIL_LINES = 15

export interface ChildOptions {
  readonly name: string
  /** Module to run, and its arguments. */
  readonly args: readonly string[]
  /** Where its output goes. */
  readonly logFile: string
}

/** A process that ends with this one, whatever ends this one. Disposing it ends it and waits. */
export interface Child extends AsyncDisposable {
  readonly name: string
  /** How it ended: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>
  /** The last lines of its output. */
  tail(): Promise<string>
}

/** Runs another instance of this program. The channel between the two tells the child when its parent is gone. */
export function startChild({ name, args, logFile }: ChildOptions): Child {
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ['ignore', log, log, 'ipc'],
    // Detached, so that a Ctrl-C in the terminal reaches this process alone, which then ends its children.
    detached: true,
    env: ownEnvironment(),
  })
  closeSync(log)
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.once('error', (error) => resolve(error.message))
  child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  return {
    name,
    ended,
    tail: async () => lastLines(await readFile(logFile, 'utf8')),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      const killer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
      await ended
      clearTimeout(killer)
    },
  }
}

/** Without what would name an agent otherwise than its file does. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PATHMETER_')))
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}
