import { InvalidArgumentError } from 'commander'
import { parseDuration, type Seconds } from '../model/duration.ts'

/** Reads an option's value as a duration between two, which are written as durations too. */
export function durationValue(least: string, most: string): (text: string) => Seconds {
  const [lowest = 0, highest = Number.POSITIVE_INFINITY] = [least, most].map(parseDuration)
  return (text) => {
    const value = parseDuration(text)
    if (value === undefined) throw new InvalidArgumentError('Must be a duration such as 250ms, 5s or 2m.')
    if (value < lowest || value > highest) throw new InvalidArgumentError(`Must be from ${least} to ${most}.`)
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
