import type { Seconds } from '../model/duration.ts'
import type { PathView } from '../model/view.ts'

/** Missed turns after which a number no longer tells the present. */
const MISSED_TURNS = 3

/** How old the last outcome of a path is; undefined before the first. */
export function ageOfLast(path: PathView, now: Seconds): Seconds | undefined {
  return path.last === undefined ? undefined : Math.max(0, now - path.last.at)
}

/** Whether a path that was measured should have been measured again long ago: three turns and the limit of one attempt. */
export function isStale(path: PathView, now: Seconds): boolean {
  const age = ageOfLast(path, now)
  return age !== undefined && age > MISSED_TURNS * path.check.every + path.check.limit
}
