import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type TSchema } from 'typebox'
import { configSchema } from '../src/config/schema.ts'

/** Where the published schema is, from the root of the repository. */
export const SCHEMA_PATH = 'docs/pathmeter.schema.json'

if (import.meta.main) await writeFile(join(import.meta.dirname, '..', SCHEMA_PATH), renderSchema())

/** Text of the JSON Schema by which editors complete and check a configuration as it is written. */
export function renderSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Pathmeter configuration',
    ...published(configSchema),
  }
  return `${JSON.stringify(schema, undefined, 2)}\n`
}

/**
 * A schema as it holds for the file: what has a default may be left out, and a section may be empty. Our own
 * `expects` becomes `patternErrorMessage`, which editors show instead of the pattern.
 */
function published(schema: TSchema): Record<string, unknown> {
  const { expects, ...keywords }: Record<string, unknown> = { ...schema }
  if (typeof expects === 'string' && 'pattern' in keywords) {
    keywords['patternErrorMessage'] = `Must be ${expects}`
  }
  const isOptional = 'default' in keywords
  if (Type.IsArray(schema)) {
    return { ...keywords, ...(isOptional && { type: ['array', 'null'] }), items: published(schema.items) }
  }
  if (!Type.IsObject(schema)) return keywords
  const properties = Object.entries(schema.properties)
  return {
    ...keywords,
    ...(isOptional && { type: ['object', 'null'] }),
    required: properties
      .filter(([, property]) => !Type.IsOptional(property) && !('default' in property))
      .map(([key]) => key),
    properties: Object.fromEntries(properties.map(([key, property]) => [key, published(property)])),
  }
}
