import Value from 'typebox/value'
import { checkValue } from '../../config/check-value.ts'
import type { Variant } from '../../kinds/define-options.ts'
import { kindOptions } from '../../kinds/options.ts'
import type { KindName } from '../../model/facts.ts'

/** The ways in which a kind measures when the configuration says nothing of it. */
export function defaultVariants(kind: KindName): readonly Variant[] {
  const { schema, variants } = kindOptions[kind]
  const defaults = checkValue(schema, {}, ({ path, message }) => {
    throw new Error(`The defaults of ${kind} do not fit their schema: ${path} ${message}`)
  })
  // The key ties schema and variants together, which the compiler cannot see through a union of kinds.
  return (variants as (section: unknown) => readonly Variant[])(Value.Decode(schema, defaults))
}
