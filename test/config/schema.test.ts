import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import Type, { type TSchema } from 'typebox'
import Schema from 'typebox/schema'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderSchema, SCHEMA_PATH } from '../../scripts/generate-schema.ts'
import { checkValue } from '../../src/config/check-value.ts'
import { configSchema } from '../../src/config/schema.ts'
import type { Problem } from '../../src/model/problem.ts'

const root = join(import.meta.dirname, '../..')
const published = JSON.parse(renderSchema())
const valid = filesIn('valid')

function filesIn(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(import.meta.dirname, folder, file))
}

function read(file: string): unknown {
  return parse(readFileSync(file, 'utf8'))
}

function problemsOf(value: unknown): Problem[] {
  const problems: Problem[] = []
  checkValue(configSchema, value, (problem) => problems.push(problem))
  return problems
}

/** Every key with its schema, below a schema. */
function keysOf(schema: TSchema, path = ''): [string, TSchema][] {
  if (Type.IsArray(schema)) return keysOf(schema.items, `${path}[]`)
  if (!Type.IsObject(schema)) return []
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    const at = path === '' ? key : `${path}.${key}`
    return [[at, property] as [string, TSchema], ...keysOf(property, at)]
  })
}

describe('the schema of the configuration', () => {
  test.each(keysOf(configSchema))('says what "%s" is', (_path, schema) => {
    expect(schema).toHaveProperty('description', expect.stringMatching(/\S/))
  })

  test('knows no key beyond those it lists, at any depth', () => {
    const sections = [configSchema, ...keysOf(configSchema).map(([, schema]) => schema)].flatMap((schema) =>
      Type.IsArray(schema) ? [schema.items] : [schema],
    )
    const objects = sections.filter((schema) => Type.IsObject(schema))
    expect(objects.length).toBeGreaterThan(10)
    for (const schema of objects) expect(schema).toHaveProperty('additionalProperties', false)
  })

  test('has a default for everything but the version, the peers and what names a site', () => {
    const needed = keysOf(configSchema)
      .filter(([, schema]) => !('default' in schema) && !Type.IsOptional(schema))
      .map(([path]) => path)
    expect(needed).toEqual([
      'version',
      'sites[].name',
      'peers',
      'peers.static',
      'peers.static[].node',
      'peers.static[].address',
    ])
  })

  test('has defaults that it accepts', () => {
    for (const [, schema] of keysOf(configSchema)) {
      if (!('default' in schema)) continue
      const problems: Problem[] = []
      checkValue(schema, schema.default, (problem) => problems.push(problem))
      expect(problems).toEqual([])
    }
  })
})

describe('the published schema', () => {
  test('is the one in docs/', () => {
    expect(readFileSync(join(root, SCHEMA_PATH), 'utf8')).toBe(renderSchema())
  })

  test.each(valid)('accepts %s', (file) => {
    expect(Schema.Check(published, read(file))).toBe(true)
  })

  test.each(filesIn('mistakes').filter((file) => /unknown-key|planned|wrong-type|missing/.test(file)))(
    'refuses %s',
    (file) => {
      expect(Schema.Check(published, read(file))).toBe(false)
    },
  )

  test.each(keysOf(configSchema).filter(([, schema]) => Type.IsObject(schema)))(
    'refuses an unknown key in "%s"',
    (path) => {
      const full = read(join(import.meta.dirname, 'valid/full.yaml'))
      const section = Value.Pointer.Get(full, `/${path.replaceAll('[]', '/0').replaceAll('.', '/')}`)
      expect(Schema.Check(published, full)).toBe(true)
      Object.assign(section as object, { surprise: 1 })
      expect(Schema.Check(published, full)).toBe(false)
    },
  )
})

describe('checking a value', () => {
  const examples = valid.map(read)
  /** An example with one value at any depth replaced. */
  const mutated = fc
    .constantFrom(...examples)
    .chain((example) =>
      fc
        .tuple(fc.constantFrom(...pointersInto(example)), fc.jsonValue({ maxDepth: 1 }))
        .map(([pointer, value]) => Value.Pointer.Set(structuredClone(example as object), pointer, value)),
    )

  test('finds problems in just what TypeBox refuses', () => {
    fc.assert(
      fc.property(mutated, (value) => {
        const filled: unknown = Value.Default(configSchema, withoutEmptySections(structuredClone(value)))
        const structural = problemsOf(value).filter(({ message }) => !message.startsWith('must be at '))
        expect(structural.length === 0).toBe(Value.Check(configSchema, filled))
      }),
      { numRuns: 300 },
    )
  })

  test('never throws, and gives every problem a path and the value', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const { message } of problemsOf(value)) expect(message).toMatch(/^(must be|is) /)
      }),
      { numRuns: 300 },
    )
  })

  test('does not change what it is given', () => {
    const value = { version: 1, peers: { static: [{ node: 'n2', address: '10.0.0.2' }] }, probes: null }
    const before = structuredClone(value)
    problemsOf(value)
    expect(value).toEqual(before)
  })
})

function pointersInto(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, item]) => [
    `${path}/${key}`,
    ...pointersInto(item, `${path}/${key}`),
  ])
}

/** The keys whose sections are empty, taken away, as a section without content is one of defaults. */
function withoutEmptySections(value: unknown, schema: TSchema = configSchema): unknown {
  if (Type.IsArray(schema) && Array.isArray(value)) {
    return value.map((item) => withoutEmptySections(item, schema.items))
  }
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const property = schema.properties[key]
    if (property === undefined) return [[key, item]]
    if (item === null && (Type.IsObject(property) || Type.IsArray(property))) return []
    return [[key, withoutEmptySections(item, property)]]
  })
  return Object.fromEntries(entries)
}
