import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { fitted, LiveScreen } from '../../src/demo/live-screen.ts'

class FakeTerminal extends EventEmitter {
  columns = 80
  rows = 24
  written = ''

  write(text: string): void {
    this.written += text
  }

  /** What was written since the last call. */
  taken(): string {
    const { written } = this
    this.written = ''
    return written
  }
}

const LINES = ['first', 'second', 'third', 'fourth'].map((text) => ({ text }))

describe('live screen', () => {
  test('shows all lines where there is room for them and the cursor', () => {
    expect(fitted(LINES, 80, 5)).toEqual(LINES)
  })

  test('says how many lines it has no room for', () => {
    expect(fitted(LINES, 80, 4)).toEqual([
      { text: 'first' },
      { text: 'second' },
      { text: 'and 2 lines more' },
    ])
  })

  test('cuts what the terminal would break', () => {
    expect(fitted([{ text: 'a long line', style: 'red' }], 6, 5)).toEqual([{ text: 'a long', style: 'red' }])
  })

  test('draws over what it drew before, without blanking it first', () => {
    const terminal = new FakeTerminal()
    using screen = new LiveScreen(terminal, (style, text) => `<${style}>${text}</>`)
    screen.draw(LINES.slice(0, 2))
    expect(terminal.taken()).toBe('first\x1b[K\nsecond\x1b[K\n\x1b[J')
    screen.draw([{ text: 'red', style: 'red' }])
    expect(terminal.taken()).toBe('\x1b[2A\r<red>red</>\x1b[K\n\x1b[J')
    screen.draw(LINES.slice(0, 1))
    expect(terminal.taken()).toBe('\x1b[1A\rfirst\x1b[K\n\x1b[J')
  })

  test('starts from the top when the terminal changes its size, until it is done', () => {
    const terminal = new FakeTerminal()
    const screen = new LiveScreen(terminal, (_style, text) => text)
    screen.draw(LINES)
    terminal.columns = 3
    terminal.taken()
    terminal.emit('resize')
    screen.draw(LINES.slice(0, 1))
    expect(terminal.taken()).toBe('\x1b[2J\x1b[Hfir\x1b[K\n\x1b[J')
    screen[Symbol.dispose]()
    terminal.emit('resize')
    expect(terminal.taken()).toBe('')
  })
})
