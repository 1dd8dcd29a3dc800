import { type Document, LineCounter, parseAllDocuments, visit } from 'yaml'
import type { Problem } from '../model/problem.ts'
import { showValue } from './show-value.ts'

/** Largest configuration: what a ConfigMap can carry. */
export const MAX_BYTES = 1_048_576

/** Values that anchors may be expanded to: more is an attack, not a configuration. */
const MAX_ALIASES = 1000

/** Mistakes that are told: one often makes all that follows another. */
const MAX_MISTAKES = 10

export type Reading = { readonly value: unknown } | { readonly problems: readonly Problem[] }

/**
 * Reads one YAML 1.2 document. Refused: duplicate keys, unknown tags, several documents, aliases within their own
 * anchor, and what is larger than MAX_BYTES. Problems have an empty path and say line and column.
 */
export function readYaml(text: string): Reading {
  if (Buffer.byteLength(text) > MAX_BYTES) return refused(`must be at most ${MAX_BYTES} bytes, is longer`)
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const problems = documents
    .flatMap((document) => mistakesIn(document, text))
    .slice(0, MAX_MISTAKES)
    .map(({ at, message }) => {
      const { line, col } = lines.linePos(at)
      return { path: '', message: `line ${line}, column ${col}: ${message}` }
    })
  if (problems.length > 0) return { problems }
  const [document, second] = documents
  if (document === undefined || (document.contents === null && second === undefined))
    return refused('is empty')
  if (second !== undefined) return refused(`must be one document, got ${documents.length}`)
  return convert(document)
}

interface Mistake {
  /** Offset into the text. */
  readonly at: number
  readonly message: string
}

function mistakesIn(document: Document, text: string): Mistake[] {
  const mistakes = [...document.errors, ...document.warnings].map(({ code, message, pos: [at] }) => ({
    at,
    message: code === 'DUPLICATE_KEY' ? `key ${showValue(keyAt(text, at))} stands twice` : message,
  }))
  visit(document, {
    Alias(_, alias, ancestors) {
      const at = alias.range?.[0] ?? 0
      const anchored = alias.resolve(document)
      if (anchored === undefined) mistakes.push({ at, message: `no anchor &${alias.source} before this` })
      else if (ancestors.includes(anchored))
        mistakes.push({ at, message: `*${alias.source} contains itself` })
    },
  })
  return mistakes
}

function keyAt(text: string, at: number): string {
  return /^(?:"[^"]*"|'[^']*'|[^\s:]+)/.exec(text.slice(at))?.[0] ?? ''
}

function convert(document: Document): Reading {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) }
  } catch (error) {
    // Thrown for one reason only, since the aliases that lead nowhere are known.
    if (error instanceof ReferenceError) return refused(`must expand to at most ${MAX_ALIASES} aliases`)
    throw error
  }
}

function refused(message: string): Reading {
  return { problems: [{ path: '', message }] }
}
