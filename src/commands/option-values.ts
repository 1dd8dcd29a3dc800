import { InvalidArgumentError } from 'commander'
import { formatDuration, parseDuration, type Seconds } from '../model/duration.ts'

export interface DurationRange {
  readonly least: Seconds
  readonly most: Seconds
}

/** Reads an option's value as a duration. */
export function durationValue({ least, most }: DurationRange): (text: string) => Seconds {
  return (text) => {
    const value = parseDuration(text)
    if (value === undefined) throw new InvalidArgumentError('Must be a duration such as 250ms, 5s or 2m.')
    if (value < least || value > most) {
      throw new InvalidArgumentError(`Must be from ${formatDuration(least)} to ${formatDuration(most)}.`)
    }
    return value
  }
}

/** Reads an option's value as a whole number. */
export function integerValue(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`)
    }
    return value
  }
}
