import Type, { type TSchema } from 'typebox'
import { parseDuration } from '../model/duration.ts'
import { showValue } from './show-value.ts'

/** Keywords that the checks read, beside what TypeBox's types say of a schema. */
export interface Keywords {
  readonly default?: unknown
  /** Completes "must be …". */
  readonly expects?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly minProperties?: number
  readonly minimumDuration?: string
  readonly maximumDuration?: string
}

export function keywordsOf(schema: TSchema): Keywords {
  return schema
}

/** What a schema accepts, completing "must be …": its own `expects`, or what its keywords say. */
export function expectation(schema: TSchema): string {
  const { expects, minimum, maximum, minProperties } = keywordsOf(schema)
  if (expects !== undefined) return expects
  if (Type.IsLiteral(schema)) return showValue(schema.const)
  if (Type.IsEnum(schema)) return alternatives(schema.enum.map(String))
  if (Type.IsInteger(schema)) return `a whole number${range(minimum, maximum)}`
  if (Type.IsArray(schema)) return 'a list'
  if (!Type.IsObject(schema)) return 'text'
  return minProperties === undefined
    ? 'a section of keys'
    : `a section with ${alternatives(Object.keys(schema.properties))}`
}

/** What is wrong with the length of a duration: JSON Schema has no keyword for its limits. */
export function durationProblem(schema: TSchema, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const { minimumDuration, maximumDuration } = keywordsOf(schema)
  const seconds = parseDuration(value)
  if (minimumDuration !== undefined && isBelow(seconds, parseDuration(minimumDuration))) {
    return `must be at least ${minimumDuration}, got ${showValue(value)}`
  }
  if (maximumDuration !== undefined && isBelow(parseDuration(maximumDuration), seconds)) {
    return `must be at most ${maximumDuration}, got ${showValue(value)}`
  }
  return undefined
}

function isBelow(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a < b
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
}

/** `a, b or c` */
function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
