import type { Seconds } from '../model/duration.ts'

/** A setting as a person would write it: `250ms`, `1s`, `15s`; six digits at most. */
export function briefDuration(seconds: Seconds): string {
  return seconds < 1 ? `${digits(seconds * 1000)}ms` : `${digits(seconds)}s`
}

function digits(value: number): string {
  return String(Number(value.toPrecision(6)))
}
