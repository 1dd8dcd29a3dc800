import Type, { type TArray, type TObject, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { nearestNames } from '../model/nearest-names.ts'
import type { Problem } from '../model/problem.ts'
import { durationProblem, expectation, keywordsOf } from './expectation.ts'
import { isPlanned } from './planned-keys.ts'
import { keyPath, showValue } from './show-value.ts'

/**
 * Holds a value against a schema of objects, lists and scalars, and fills in the defaults.
 *
 * @param report called with every problem, in the order of the schema
 * @returns a copy with all that is valid, at its place: what is wrong is undefined, unknown keys are left out
 */
export function checkValue(
  schema: TSchema,
  value: unknown,
  report: (problem: Problem) => void,
  path = '',
): unknown {
  if (Type.IsObject(schema)) return checkObject(schema, value, report, path)
  if (Type.IsArray(schema)) return checkArray(schema, value, report, path)
  return checkScalar(schema, value, report, path)
}

function checkObject(
  schema: TObject,
  value: unknown,
  report: (problem: Problem) => void,
  path: string,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report({ path, message: mustBe(schema, value) })
    return undefined
  }
  // The check above makes it an object with string keys.
  const given = value as Record<string, unknown>
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(schema.properties, key)) report(unknownKey(schema, keyPath(path, key), key))
  }
  const checked: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(schema.properties)) {
    const at = keyPath(path, key)
    const item = Object.hasOwn(given, key) ? given[key] : undefined
    if (!isAbsent(property, item)) checked[key] = checkValue(property, item, report, at)
    else if ('default' in property) checked[key] = checkValue(property, property.default, report, at)
    else if (!Type.IsOptional(property)) {
      report({ path: at, message: `must be given, as ${expectation(property)}` })
    }
  }
  if (Object.keys(checked).length < (keywordsOf(schema).minProperties ?? 0))
    report({ path, message: mustBe(schema, value) })
  return checked
}

function checkArray(
  schema: TArray,
  value: unknown,
  report: (problem: Problem) => void,
  path: string,
): unknown {
  if (!Array.isArray(value) || value.length < (keywordsOf(schema).minItems ?? 0)) {
    report({ path, message: mustBe(schema, value) })
    return undefined
  }
  return value.map((item, index) => checkValue(schema.items, item, report, `${path}[${index}]`))
}

function checkScalar(
  schema: TSchema,
  value: unknown,
  report: (problem: Problem) => void,
  path: string,
): unknown {
  const message = Value.Check(schema, value) ? durationProblem(schema, value) : mustBe(schema, value)
  if (message === undefined) return value
  report({ path, message })
  return undefined
}

/** A section without content is a section of defaults; a scalar without content is a mistake. */
function isAbsent(schema: TSchema, value: unknown): boolean {
  return value === undefined || (value === null && (Type.IsObject(schema) || Type.IsArray(schema)))
}

function mustBe(schema: TSchema, value: unknown): string {
  const hint = isUnquoted(schema, value) ? ' without quotes' : ''
  return `must be ${expectation(schema)}, got ${showValue(value)}${hint}`
}

/** YAML read a number where a text was meant: a node that is called 17. */
function isUnquoted(schema: TSchema, value: unknown): boolean {
  return typeof value === 'number' && Type.IsString(schema) && Value.Check(schema, String(value))
}

function unknownKey(schema: TObject, path: string, key: string): Problem {
  if (isPlanned(path)) return { path, message: 'is not supported in this version' }
  const known = Object.keys(schema.properties)
  const [nearest] = nearestNames(key, known, 1)
  const hint = nearest === undefined ? `known here: ${known.join(', ')}` : `did you mean "${nearest}"?`
  return { path, message: `is no known key, ${hint}` }
}
