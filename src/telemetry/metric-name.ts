import type { AgentFamily, PathFamily } from '../model/family.ts'

const PREFIX = 'pathmeter_'

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
/** Endings that say what only the exposition may say. */
const RESERVED_ENDING = /_(bucket|sum|count|created)$/
const RESERVED_LABELS: ReadonlySet<string> = new Set(['le', 'quantile'])

/**
 * The name under which a family is scraped.
 *
 * @throws Error when name, help or labels break the conventions that `promtool check metrics` enforces
 */
export function metricName(family: AgentFamily | PathFamily<never>, prefix = PREFIX): string {
  const fault = faultOf(family)
  if (fault !== undefined) throw new Error(`Cannot register metric "${family.name}": ${fault}`)
  return prefix + family.name
}

function faultOf({ name, help, type, labels }: AgentFamily | PathFamily<never>): string | undefined {
  if (!NAME.test(name)) return 'a name is lower case words joined by single underscores'
  if (RESERVED_ENDING.test(name)) return 'the ending is reserved for the lines of histograms and sums'
  if ((type === 'counter') !== name.endsWith('_total'))
    return `"_total" ends the names of counters alone, this is a ${type}`
  if (help.trim() === '') return 'the help text is empty'
  const reserved = labels.find(
    // A window gives its statistics that label itself.
    (label) => RESERVED_LABELS.has(label) || !NAME.test(label) || (type === 'window' && label === 'stat'),
  )
  return reserved === undefined ? undefined : `the label "${reserved}" is reserved or no lower case name`
}
