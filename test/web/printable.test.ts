import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson } from '../../src/web/printable.ts'

const ANYTHING = fc.string({ unit: 'binary' })

describe('printable', () => {
  it('replaces what drives a terminal or reorders a line', () => {
    expect(printable('a\x1b[31mb\r\nc\u009b\u202ed\u200be\u2028')).toBe(
      'a\ufffd[31mb\ufffd\ufffdc\ufffd\ufffdd\ufffde\ufffd',
    )
  })

  it('leaves names of any script alone', () => {
    expect(printable('zürich-一号-عقدة')).toBe('zürich-一号-عقدة')
  })

  it('shortens visibly, to the length asked for', () => {
    expect(printable('abcdef', 4)).toBe('abc…')
    expect(printable('abcd', 4)).toBe('abcd')
  })

  it('leaves no control, format or unpaired character in any text', () => {
    fc.assert(fc.property(ANYTHING, (text) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(printable(text, 20))))
  })

  it('keeps all of a value in JSON while a terminal sees nothing dangerous', () => {
    fc.assert(
      fc.property(fc.dictionary(ANYTHING, ANYTHING), (value) => {
        const json = printableJson(value)
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
