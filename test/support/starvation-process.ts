import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Seconds } from '../../src/model/duration.ts'
import { systemClock } from '../../src/net/clock.ts'
import { Starvation } from '../../src/net/starvation.ts'

/** What a process saw of its own stop. */
export interface Suffered {
  readonly noise: Seconds
  readonly lag: Seconds
  /** Since the mark that both count from. */
  readonly elapsed: Seconds
}

/** A process that watches itself, and says what it suffered once that is much; then it ends. */
export async function startStarvationProcess(): Promise<ChildProcess> {
  const child = fork(import.meta.filename, { execArgv: [] })
  await once(child, 'message')
  return child
}

if (process.argv[1] === import.meta.filename) {
  const starvation = new Starvation(systemClock)
  const mark = starvation.mark()
  const timer = setInterval(() => {
    const lag = starvation.lag - mark.lag
    if (lag < 0.3) return
    clearInterval(timer)
    const suffered: Suffered = { noise: starvation.since(mark), lag, elapsed: systemClock.now() - mark.at }
    process.send?.(suffered)
    process.disconnect?.()
  }, 10)
  process.send?.('ready')
  // Whoever started it is gone, or has heard it all.
  process.once('disconnect', () => process.exit())
}
