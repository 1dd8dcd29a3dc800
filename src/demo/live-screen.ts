import type { Paint } from '../commands/paint.ts'
import type { Line } from './demo-table.ts'

/** What is used of a terminal's stream. */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** Lines that are drawn over and over at the same place of a terminal, and stay there in the end. */
export class LiveScreen implements Disposable {
  readonly #stream: Terminal
  readonly #paint: Paint
  readonly #onResize = () => this.#clear()
  #drawn = 0

  constructor(stream: Terminal, paint: Paint) {
    this.#stream = stream
    this.#paint = paint
    stream.on('resize', this.#onResize)
  }

  /** In characters. */
  get width(): number {
    return this.#stream.columns
  }

  draw(lines: readonly Line[]): void {
    const { columns, rows } = this.#stream
    const shown = fitted(lines, columns, rows).map(({ text, style }) =>
      style ? this.#paint(style, text) : text,
    )
    const up = this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A\r`
    // Line by line to its end, and at last what is below: nothing is blank in between.
    this.#stream.write(`${up}${shown.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`)
    this.#drawn = shown.length
  }

  [Symbol.dispose](): void {
    this.#stream.off('resize', this.#onResize)
  }

  /** The terminal has broken the lines anew: nobody knows where they are. */
  #clear(): void {
    this.#drawn = 0
    this.#stream.write('\x1b[2J\x1b[H')
  }
}

/** As much as fits a terminal of that size: no line is broken, and the first does not scroll away. */
export function fitted(lines: readonly Line[], columns: number, rows: number): readonly Line[] {
  const cut = lines.map((line) => ({ ...line, text: line.text.slice(0, columns) }))
  // The cursor needs the last row.
  const room = Math.max(2, rows - 1)
  if (cut.length <= room) return cut
  return [...cut.slice(0, room - 1), { text: `and ${cut.length - room + 1} lines more` }]
}
