import { isDeepStrictEqual } from 'node:util'
import Type, { type TSchema } from 'typebox'
import { type Config, configSchema } from './schema.ts'
import { keyPath } from './show-value.ts'

/** What a new configuration does to a running agent. */
export interface ConfigChanges {
  /** The new configuration, with the old values of all keys that need a restart. */
  readonly effective: Config
  /** Dotted keys that changed and count from now on. A list changes as a whole. */
  readonly applied: readonly string[]
  /** Dotted keys whose value in the file waits for a restart, also when an earlier reload brought it. */
  readonly needsRestart: readonly string[]
}

/** @param running the configuration in force: effective as of the last reload */
export function configChanges(running: Config, next: Config): ConfigChanges {
  const effective = keepUntilRestart(running, next)
  return {
    effective,
    applied: changedKeys(configSchema, running, effective),
    needsRestart: changedKeys(configSchema, effective, next),
  }
}

/**
 * Listeners and their limits are what they were opened with, a node that changed its name would be another one to all its peers,
 * the grace period of a shutdown is told to the platform beforehand, and the stores of metrics are laid out once.
 */
function keepUntilRestart(running: Config, next: Config): Config {
  const { node, web, respond, drain, metrics } = running
  return { ...next, node, web, respond, drain, metrics }
}

/** Compares by the schema, because a decoded duration or listen address is one value there. */
function changedKeys(schema: TSchema, before: unknown, after: unknown, path = ''): string[] {
  if (!Type.IsObject(schema)) return isDeepStrictEqual(before, after) ? [] : [path]
  return Object.entries(schema.properties).flatMap(([key, property]) =>
    changedKeys(property, valueAt(before, key), valueAt(after, key), keyPath(path, key)),
  )
}

function valueAt(section: unknown, key: string): unknown {
  return typeof section === 'object' && section !== null
    ? Object.getOwnPropertyDescriptor(section, key)?.value
    : undefined
}
