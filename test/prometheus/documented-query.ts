import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../docs/queries.md')

/** The documented queries, by their headings. */
export function readDocumentedQueries(): ReadonlyMap<string, string> {
  const sections = readFileSync(PAGE, 'utf8').split(/^## /m).slice(1)
  return new Map(sections.map(readSection))
}

function readSection(section: string): [string, string] {
  const [heading = ''] = section.split('\n', 1)
  const [block, ...more] = [...section.matchAll(/^```promql\n(.+?)^```$/gms)]
  if (block?.[1] === undefined || more.length > 0) {
    throw new Error(`Cannot read "${heading}" of docs/queries.md: expected one query`)
  }
  return [heading, block[1]]
}
