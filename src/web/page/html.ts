import { printable } from '../printable.ts'

const MARKUP: unique symbol = Symbol('markup')

/** Markup that is safe to send: only `html` makes it, and nothing parsed from outside can carry its key. */
export interface Html {
  readonly [MARKUP]: string
}

type Value = string | number | Html | readonly Html[] | undefined

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const LONGEST_TEXT = 400
/** Printable ASCII without what HTML reads: nearly every value, and nothing to do for it. */
const PLAIN = /^[ !#-%(-;=?-~]*$/

/** Template tag: every value is made printable and escaped, unless it is markup itself. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, index) => text + toMarkup(values[index]))
  return { [MARKUP]: parts.join('') }
}

export function htmlText(markup: Html): string {
  return markup[MARKUP]
}

function toMarkup(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeText(value)
  return isMarkup(value) ? value[MARKUP] : value.map(htmlText).join('')
}

function isMarkup(value: Html | readonly Html[]): value is Html {
  return MARKUP in value
}

function escapeText(text: string): string {
  if (text.length <= LONGEST_TEXT && PLAIN.test(text)) return text
  return printable(text, LONGEST_TEXT).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
