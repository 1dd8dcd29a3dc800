import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import type { Problem } from '../model/problem.ts'
import { expectation } from './expectation.ts'
import type { NodeIdentity } from './schema.ts'
import { showValue } from './show-value.ts'
import { IpAddress, Name } from './text-schemas.ts'

/** What the configuration takes from outside its file. */
export interface Environment {
  /** Environment variables; those with an empty value count as absent. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** This machine's name, for an agent that nothing else names. */
  readonly hostname: string
}

const VARIABLES = {
  name: { variable: 'PATHMETER_NODE', schema: Name('Name of this node') },
  zone: { variable: 'PATHMETER_ZONE', schema: Name('Zone of this node') },
  podIp: { variable: 'PATHMETER_POD_IP', schema: IpAddress('Address of this pod') },
  namespace: { variable: 'PATHMETER_NAMESPACE', schema: Name('Namespace of this pod') },
} satisfies Record<keyof NodeIdentity, { variable: string; schema: TSchema }>

type Report = (problem: Problem) => void

/**
 * Who this agent is: the environment before the file, the machine's name where neither says one.
 *
 * @param node the file's `node` section
 * @returns undefined when there is no valid name
 */
export function identify(
  node: { readonly name?: string | undefined; readonly zone?: string | undefined },
  { variables, hostname }: Environment,
  report: Report,
): NodeIdentity | undefined {
  const name = readVariable('name', variables, report) ?? node.name ?? checkHostname(hostname, report)
  const zone = readVariable('zone', variables, report) ?? node.zone
  const podIp = readVariable('podIp', variables, report)
  const namespace = readVariable('namespace', variables, report)
  return name === undefined ? undefined : { name, zone, podIp, namespace }
}

function readVariable(
  key: keyof NodeIdentity,
  variables: Environment['variables'],
  report: Report,
): string | undefined {
  const { variable, schema } = VARIABLES[key]
  const value = variables[variable]
  if (value === undefined || value === '') return undefined
  if (Value.Check(schema, value)) return value
  report({ path: variable, message: `must be ${expectation(schema)}, got ${showValue(value)}` })
  return undefined
}

function checkHostname(hostname: string, report: Report): string | undefined {
  const { schema } = VARIABLES.name
  if (Value.Check(schema, hostname)) return hostname
  const message = `must be given, as ${expectation(schema)}: the host name is ${showValue(hostname)}`
  report({ path: 'node.name', message })
  return undefined
}
