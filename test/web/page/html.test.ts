import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, htmlText } from '../../../src/web/page/html.ts'

describe('html', () => {
  it('leaves plain ASCII as it is and escapes each of the five characters', () => {
    const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
    const expected = ascii
      .replace('&', '&amp;')
      .replace('<', '&lt;')
      .replace('>', '&gt;')
      .replace('"', '&quot;')
      .replace("'", '&#39;')
    expect([...ascii].map((character) => htmlText(html`${character}`)).join('')).toBe(expected)
  })

  it('escapes text and lets markup through', () => {
    const inner = html`<b>${'<&>"\''}</b>`
    expect(htmlText(html`<p>${inner}${[inner, inner]}${3}${undefined}</p>`)).toBe(
      `<p>${'<b>&lt;&amp;&gt;&quot;&#39;</b>'.repeat(3)}3</p>`,
    )
  })

  it('lets no text open a tag, an entity or the end of an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = htmlText(html`${text}`)
        expect(shown).not.toMatch(/[<>"']/)
        expect(shown.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
      }),
    )
  })
})
