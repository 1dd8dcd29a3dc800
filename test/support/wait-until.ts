import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  /** Milliseconds after which waiting fails. */
  readonly withinMs: number
  /** Milliseconds between two looks; 100 by default. */
  readonly everyMs?: number
  /** What is waited for, for the error. */
  readonly what: string
}

/**
 * Looks again and again until there is something to see.
 *
 * @param look undefined or false means not yet
 * @throws Error when the time is over
 */
export async function waitUntil<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs, everyMs = 100, what }: WaitOptions,
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms in vain: ${what}`)
    await sleep(everyMs)
  }
}
