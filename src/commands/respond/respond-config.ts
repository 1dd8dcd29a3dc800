import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { checkValue } from '../../config/check-value.ts'
import { type Environment, identify } from '../../config/identity.ts'
import { readText } from '../../config/load.ts'
import { readYaml } from '../../config/read-yaml.ts'
import { type ConfigDraft, crossProblems } from '../../config/rules.ts'
import { type Config, configSchema } from '../../config/schema.ts'
import type { Problem } from '../../model/problem.ts'

/** What a responder that stands alone takes of an agent's configuration. */
export type RespondConfig = Pick<Config, 'node' | 'sites' | 'respond' | 'drain' | 'log'>

/** Options of the command, as they are typed. */
export interface RespondFlags {
  readonly config?: string
  readonly http?: string
  readonly tcp?: string
  readonly node?: string
  readonly zone?: string
  readonly prefix?: string
  readonly drain?: string
}

export type RespondLoaded = { readonly config: RespondConfig } | { readonly problems: readonly Problem[] }

/** An agent's schema but for the peers, whom a responder does not look for. */
const schema = Type.Object(
  { ...configSchema.properties, peers: Type.Optional(configSchema.properties.peers) },
  { additionalProperties: false },
)

/** Reads a file by the rules for an agent's, except that it need not say who the peers are. */
export async function loadRespondConfig(file: string, environment: Environment): Promise<RespondLoaded> {
  const read = await readText(file)
  if ('problems' in read) return read
  const reading = readYaml(read.text)
  return 'problems' in reading ? reading : parseRespondConfig(reading.value, environment)
}

/** The same from options. The paths of problems are the options' names. */
export function configFromFlags(flags: RespondFlags, environment: Environment): RespondLoaded {
  const { http, tcp, node: name, zone, prefix, drain } = flags
  const value = { version: 1, node: { name, zone }, respond: { http, tcp, prefix }, drain }
  // What is typed here and now goes before what the machine was set up with.
  const { PATHMETER_NODE, PATHMETER_ZONE, ...others } = environment.variables
  const variables = {
    ...others,
    ...(name === undefined && { PATHMETER_NODE }),
    ...(zone === undefined && { PATHMETER_ZONE }),
  }
  const loaded = parseRespondConfig(value, { ...environment, variables })
  if ('config' in loaded) return loaded
  const asOption = (problem: Problem) => ({ ...problem, path: OPTION_OF[problem.path] ?? problem.path })
  return { problems: loaded.problems.map(asOption) }
}

const OPTION_OF: Readonly<Record<string, string>> = {
  'respond.http': '--http',
  'respond.tcp': '--tcp',
  'respond.prefix': '--prefix',
  'node.name': '--node',
  'node.zone': '--zone',
  drain: '--drain',
}

function parseRespondConfig(value: unknown, environment: Environment): RespondLoaded {
  const problems: Problem[] = []
  const report = (problem: Problem) => problems.push(problem)
  // What checkValue gives back has the shape of the schema, as far as it goes.
  const draft = checkValue(schema, value, report) as ConfigDraft
  const node = identify(draft?.node ?? {}, environment, report)
  problems.push(...crossProblems(draft, node?.name))
  if (problems.length > 0 || node === undefined) return { problems }
  const { sites, respond, drain, log } = Value.Decode(schema, draft as Static<typeof schema>)
  return { config: { node, sites, respond, drain, log } }
}
