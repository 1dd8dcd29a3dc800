import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openResponder } from './responder.ts'

export interface ResponderProcess extends AsyncDisposable {
  readonly process: ChildProcess
  readonly ports: { readonly http: number; readonly tcp: number }
}

/** A responder in a process of its own: it answers while this one is blocked, and can be stopped itself. */
export async function startResponderProcess(): Promise<ResponderProcess> {
  const child = fork(import.meta.filename, { execArgv: [] })
  const [ports] = await once(child, 'message')
  return {
    process: child,
    ports,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

if (process.argv[1] === import.meta.filename) {
  const { ports } = await openResponder()
  process.send?.(ports)
  // Whoever started it is gone.
  process.once('disconnect', () => process.exit())
}
