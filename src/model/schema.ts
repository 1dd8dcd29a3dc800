import Type, { type TCodec, type TString } from 'typebox'
import { formatDuration, parseDuration, type Seconds } from './duration.ts'

export interface DurationLimits {
  readonly default: string
  /** Smallest value accepted; the default is none but zero. */
  readonly minimum?: string
  readonly maximum?: string
  readonly description: string
}

/**
 * Schema of a duration: written as `250ms`, `5s`, `2m`, decoded to seconds. The limits stand in the schema as
 * `minimumDuration` and `maximumDuration`, where the configuration's loader checks them. `expects` completes its
 * sentence "must be …".
 */
export function Duration(limits: DurationLimits): TCodec<TString, Seconds> {
  const { minimum, maximum, ...rest } = limits
  const schema = Type.String({
    ...rest,
    pattern: '^\\d+(\\.\\d+)?(us|ms|s|m|h|d)$',
    expects: 'a duration such as 250ms, 5s or 2m',
    ...(minimum === undefined ? {} : { minimumDuration: minimum }),
    ...(maximum === undefined ? {} : { maximumDuration: maximum }),
  })
  return Type.Codec(schema)
    .Decode((text) => parseDuration(text) ?? Number.NaN)
    .Encode(formatDuration)
}
