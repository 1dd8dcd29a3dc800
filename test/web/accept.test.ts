import { describe, expect, it } from 'vitest'
import { acceptsGzip, prefersJson } from '../../src/web/accept.ts'

describe('accept', () => {
  for (const [header, json] of [
    [undefined, false],
    ['*/*', false],
    ['application/json', true],
    ['application/*', true],
    ['text/plain', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/json;q=0.5, text/plain', false],
    ['Application/JSON; charset=utf-8, */*;q=0.1', true],
    ['text/plain;q=0, application/json', true],
    ['application/json;q=nonsense', false],
    ['', false],
  ] as const) {
    it(`${JSON.stringify(header)} asks for ${json ? 'JSON' : 'text'}`, () => {
      expect(prefersJson(header)).toBe(json)
    })
  }

  for (const [header, gzip] of [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, GZIP;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*', true],
    ['identity', false],
  ] as const) {
    it(`${JSON.stringify(header)} ${gzip ? 'takes' : 'does not take'} gzip`, () => {
      expect(acceptsGzip(header)).toBe(gzip)
    })
  }
})
