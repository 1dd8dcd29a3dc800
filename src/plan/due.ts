import type { CheckId } from '../model/check.ts'
import type { Instant } from '../model/clock.ts'
import type { Seconds } from '../model/duration.ts'
import { hash32, pairHash } from './hash.ts'

/** The slots of a check: `dueTime(i) = origin + phase + i * every`, for i from 0. */
export interface Schedule {
  readonly every: Seconds
  /** When slot `index` is due. */
  dueTime(index: number): Instant
  /** Index of the last slot that is due at `now` or earlier; -1 before the first. */
  slotIndexAt(now: Instant): number
}

export interface ScheduleOptions {
  /** When slots begin: one instant for all checks of a process, so that a check planned anew keeps its step. */
  readonly origin: Instant
  readonly every: Seconds
  readonly id: CheckId
  /** The node that probes. */
  readonly node: string
}

/**
 * Lays out the slots of a check. The phase, from 0 to `every`, comes from the check and the source node, so that the
 * checks of an agent are spread over time, and the agents that probe one peer do not do it in step. The next slot
 * after `now` is always `slotIndexAt(now) + 1`; slots that went by are counted by the difference of two indexes.
 */
export function createSchedule({ origin, every, id, node }: ScheduleOptions): Schedule {
  const start = origin + phaseOf(id, node) * every
  const dueTime = (index: number): Instant => start + index * every
  return {
    every,
    dueTime,
    slotIndexAt(now) {
      let index = Math.max(-1, Math.floor((now - start) / every))
      // The division may round across a slot's edge; what dueTime says is what counts.
      while (index >= 0 && dueTime(index) > now) index--
      while (dueTime(index + 1) <= now) index++
      return index
    },
  }
}

/** Part of an interval, from 0 to below 1, by which the slots of a check are moved. */
export function phaseOf(id: CheckId, node: string): number {
  return pairHash(hash32(id), hash32(node)) / 2 ** 32
}
