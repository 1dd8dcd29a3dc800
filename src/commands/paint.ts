import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

/** Colours a text that is already laid out. */
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_style, text) => text

/** Colour where `stream` is a terminal that has it, and the environment does not forbid it (NO_COLOR). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(style, text, { stream })
}
