import type { Seconds } from './duration.ts'

/** A point on the monotonic clock, in seconds since an origin that is fixed for the life of the process. */
export type Instant = Seconds

/** The two clocks. Durations come from `now` alone; `wall` is only for what a person or Prometheus reads. */
export interface Clock {
  /** Monotonic, seconds. */
  now(): Instant
  /** Seconds since the Unix epoch. */
  wall(): Seconds
}
