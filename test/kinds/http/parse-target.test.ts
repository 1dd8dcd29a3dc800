import { describe, expect, test } from 'vitest'
import { httpOptions } from '../../../src/kinds/http/options.ts'

function parse(text: string, responder = false) {
  return httpOptions.parseTarget(text, { responder })
}

describe('http target', () => {
  test('a URL is asked for its path and query, at the port of its scheme', () => {
    expect(parse('http://models.internal/healthz?deep=1#top')).toEqual({
      host: 'models.internal',
      port: 80,
      options: { path: '/healthz?deep=1', host: 'models.internal' },
      does: 'gets /healthz?deep=1, any 2xx or 3xx will do',
      phases: ['connect', 'request', 'first_byte', 'transfer'],
    })
  })

  test('https brings TLS, port 443 and a phase of its own', () => {
    expect(parse('https://models.internal/')).toMatchObject({
      port: 443,
      options: { path: '/', host: 'models.internal', tls: true },
      phases: ['connect', 'tls', 'request', 'first_byte', 'transfer'],
    })
  })

  test('a port that is not the default one is in the Host header', () => {
    expect(parse('https://models.internal:8443/')).toMatchObject({
      port: 8443,
      options: { host: 'models.internal:8443' },
    })
    expect(parse('https://models.internal:443/')).toMatchObject({ options: { host: 'models.internal' } })
  })

  test('an IPv6 literal is dialled without its brackets', () => {
    expect(parse('http://[fd00::5]:9701/')).toMatchObject({
      host: 'fd00::5',
      port: 9701,
      options: { host: '[fd00::5]:9701' },
    })
  })

  test('HOST:PORT is plain http for /', () => {
    expect(parse('10.0.0.2:9701')).toMatchObject({
      host: '10.0.0.2',
      port: 9701,
      options: { path: '/', host: '10.0.0.2:9701' },
    })
    expect(parse('models.internal:80')).toMatchObject({ port: 80 })
  })

  test('a responder is asked for an echo, below the path of a gateway', () => {
    const responder = { bytes: 512 }
    expect(parse('10.0.0.2:9701', true)).toMatchObject({
      options: { path: '/v1/echo?size=512', responder },
      does: 'gets /v1/echo?size=512 of a responder',
    })
    for (const url of ['https://edge.example.com/pathmeter', 'https://edge.example.com/pathmeter/?x=1']) {
      expect(parse(url, true)).toMatchObject({ options: { path: '/pathmeter/v1/echo?size=512', responder } })
    }
  })

  test.each(['models.internal', '', 'http://', 'http://a:70000/', 'models.internal/healthz', '/healthz'])(
    'says how to write it: %j',
    (text) => {
      expect(parse(text)).toEqual({
        problem: 'must be a URL such as https://models.internal/healthz, or HOST:PORT',
      })
    },
  )

  test('only http is spoken here', () => {
    expect(parse('ftp://models.internal/')).toEqual({
      problem: 'must begin with http:// or https://, got ftp://',
    })
  })

  test('a password is refused and not repeated', () => {
    expect(parse('https://me:secret@models.internal/')).toEqual({
      problem: 'must carry neither user name nor password',
    })
  })

  test('port 0 is refused', () => {
    expect(parse('http://models.internal:0/')).toEqual({ problem: 'must have a port from 1 to 65535' })
  })
})
