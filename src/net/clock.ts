import type { Clock } from '../model/clock.ts'

/** The process's clocks. */
export const systemClock: Clock = {
  now: () => performance.now() / 1000,
  wall: () => Date.now() / 1000,
}
