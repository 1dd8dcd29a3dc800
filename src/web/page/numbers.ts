import type { Seconds } from '../../model/duration.ts'

const DAY: Seconds = 86_400

/** Milliseconds with as many digits as say something (`0.54`, `12.3`, `1,504`); the column's title has the unit. */
export function formatMilliseconds(seconds: Seconds): string {
  const milliseconds = seconds * 1000
  const size = Math.abs(milliseconds)
  if (size < 10) return milliseconds.toFixed(2)
  if (size < 100) return milliseconds.toFixed(1)
  return Math.round(milliseconds).toLocaleString('en-US')
}

/** How long ago or since, in its two largest units: `12s`, `9m`, `3h 12m`, `2d 4h`. */
export function formatAge(seconds: Seconds): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole}s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m`
  if (whole < DAY) return join(Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'm')
  return join(Math.floor(whole / DAY), 'd', Math.floor((whole % DAY) / 3600), 'h')
}

/** Time of day in UTC, with the date where it is not today's. */
export function formatClock(at: Seconds, now: Seconds): string {
  const written = new Date(at * 1000).toISOString()
  const time = written.slice(11, 19)
  const isToday = Math.floor(at / DAY) === Math.floor(now / DAY)
  return isToday ? time : `${written.slice(0, 10)} ${time}`
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`
}
