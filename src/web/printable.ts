/**
 * Control, format (bidirectional overrides, zero-width), line-breaking and unpaired characters: a peer's name
 * that holds them can rewrite a terminal or reorder a line.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text from outside on one line of a terminal or a page: what cannot be shown becomes U+FFFD, and what is too long ends in `…`. */
export function printable(text: string, maxLength = 253): string {
  const shown = text.replace(UNPRINTABLE, '\ufffd')
  return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength - 1).toWellFormed()}…`
}

/** JSON that is safe to print on a terminal: the same characters, kept as `\u` escapes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escapeUnits)
}

function escapeUnits(character: string): string {
  let escaped = ''
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return escaped
}
