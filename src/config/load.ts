import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import Value from 'typebox/value'
import type { Problem } from '../model/problem.ts'
import { checkValue } from './check-value.ts'
import { type Environment, identify } from './identity.ts'
import { MAX_BYTES, readYaml } from './read-yaml.ts'
import { type ConfigDraft, crossProblems } from './rules.ts'
import { type Config, configSchema } from './schema.ts'

/** A valid configuration, or everything that is wrong with it. */
export type Loaded = { readonly config: Config } | { readonly problems: readonly Problem[] }

/** Reads and checks a configuration file. An unreadable file is a problem like any other. */
export async function loadConfig(file: string, environment: Environment): Promise<Loaded> {
  const read = await readText(file)
  return 'problems' in read ? read : parseConfig(read.text, environment)
}

/** Checks the text of a configuration. All problems are reported, but those that broken YAML hides. */
export function parseConfig(text: string, environment: Environment): Loaded {
  const reading = readYaml(text)
  if ('problems' in reading) return reading
  const problems: Problem[] = []
  const report = (problem: Problem) => problems.push(problem)
  // What checkValue gives back has the shape of the schema, as far as it goes.
  const draft = checkValue(configSchema, reading.value, report) as ConfigDraft
  const node = identify(draft?.node ?? {}, environment, report)
  problems.push(...crossProblems(draft, node?.name))
  if (problems.length > 0 || node === undefined) return { problems }
  return { config: { ...Value.Decode(configSchema, draft), node } }
}

/** The text of a configuration file; of one that is too long, only as much as shows that it is. */
export async function readText(
  file: string,
): Promise<{ readonly text: string } | { readonly problems: readonly Problem[] }> {
  try {
    // `end` is the offset of the last byte: one more than fits.
    const bytes = await buffer(createReadStream(file, { end: MAX_BYTES }))
    return { text: bytes.toString('utf8') }
  } catch (error) {
    return { problems: [{ path: '', message: whyUnreadable(error) }] }
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a directory, must be a file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
}

function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return UNREADABLE[code] ?? error.message
}
