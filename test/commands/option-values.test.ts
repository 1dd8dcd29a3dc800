import { describe, expect, test } from 'vitest'
import { durationValue, integerValue } from '../../src/commands/option-values.ts'

describe('value of an option', () => {
  const duration = durationValue('100ms', '1h')

  test('that is a duration is read in seconds, both ends of its range included', () => {
    expect(['100ms', '2.5s', '1h'].map(duration)).toEqual([0.1, 2.5, 3600])
  })

  test.each(['5', '', 'soon', '-1s', '1 s'])('that is no duration is refused: %j', (text) => {
    expect(() => duration(text)).toThrow('Must be a duration such as 250ms, 5s or 2m.')
  })

  test.each(['99ms', '2h'])('that is out of range is refused: %j', (text) => {
    expect(() => duration(text)).toThrow('Must be from 100ms to 1h.')
  })

  test('that is a whole number is read as one', () => {
    expect(['1', '007', '100'].map(integerValue(1, 100))).toEqual([1, 7, 100])
  })

  test.each(['0', '101', '1.5', '-1', '1e2', '', 'x'])('that is no such number is refused: %j', (text) => {
    expect(() => integerValue(1, 100)(text)).toThrow('Must be a whole number from 1 to 100.')
  })
})
