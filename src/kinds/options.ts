import type { StaticDecode } from 'typebox'
import type { KindName } from '../model/facts.ts'
import type { Variant } from './define-options.ts'
import { httpOptions } from './http/options.ts'
import { tcpOptions } from './tcp/options.ts'

/** Every kind's options: what configuration and planning know of the kinds. */
export const kindOptions = { tcp: tcpOptions, http: httpOptions } satisfies Record<KindName, unknown>

/** The decoded `probes:` section, a key per kind. */
export type ProbeSections = { readonly [K in KindName]: StaticDecode<(typeof kindOptions)[K]['schema']> }

/** The ways in which a kind measures, by its section of the configuration. */
export function variantsOf(kind: KindName, sections: ProbeSections): readonly Variant[] {
  // The key ties options and section together, which the compiler cannot see through a union of kinds.
  const { variants } = kindOptions[kind] as { variants(section: unknown): readonly Variant[] }
  return variants(sections[kind])
}
