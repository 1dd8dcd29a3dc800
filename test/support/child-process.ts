import { type ChildProcess, spawn } from 'node:child_process'

/** Characters of output that are kept. */
const KEPT_OUTPUT = 64 * 1024

export interface RunningChild extends AsyncDisposable {
  readonly pid: number
  /** Its exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** The newest part of what it wrote, stdout and stderr together. */
  output(): string
  signal(name: NodeJS.Signals): void
}

export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  /** Holds an IPC channel open, by whose end a child can learn that its parent is gone. */
  readonly ipc?: boolean
}

/**
 * Starts a program. Disposing it kills it, also when it is stopped.
 *
 * @throws Error when it cannot be started
 */
export async function startChild({ command, args, ipc = false }: ChildOptions): Promise<RunningChild> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc' as const] : [])] })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT)
    })
  }
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return {
    pid: child.pid ?? 0,
    exited,
    output: () => output,
    signal: (name) => {
      if (!child.kill(name)) throw new Error(`Cannot send ${name} to "${command}": it has ended`)
    },
    async [Symbol.asyncDispose]() {
      if (!hasEnded(child)) child.kill('SIGKILL')
      await exited
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
