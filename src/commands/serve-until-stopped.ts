import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Seconds } from '../model/duration.ts'

export interface Served {
  /** Tells everyone who asks that the end is near. */
  drain(): void
}

/**
 * Waits until SIGTERM or SIGINT, or until the parent that holds an IPC channel to this process is gone; then lets
 * `served` announce its end for `drainFor` seconds. A second signal ends the process at once.
 */
export async function serveUntilStopped(served: Served, drainFor: Seconds, log: Logger): Promise<void> {
  const stop = Promise.withResolvers<string>()
  const onSignal = (signal: NodeJS.Signals) => stop.resolve(signal)
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  if (process.connected) process.once('disconnect', () => stop.resolve('parent gone'))
  // False, and not undefined, where there was a channel and it closed while we were starting.
  else if (process.connected === false) stop.resolve('parent gone')
  const why = await stop.promise

  served.drain()
  log.info({ why, seconds: drainFor }, 'draining')
  process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
  const onSecond = () => process.exit(1)
  process.once('SIGTERM', onSecond).once('SIGINT', onSecond)
  // Without a parent there is nobody left to be told.
  if (why !== 'parent gone') await sleep(drainFor * 1000)
}
