import { systemClock } from '../../src/net/clock.ts'

/** Keeps the event loop from turning, with the CPU at work. */
export function blockLoop(ms: number): void {
  for (const end = systemClock.now() + ms / 1000; systemClock.now() < end; );
}
