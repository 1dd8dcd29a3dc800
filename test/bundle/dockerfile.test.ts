import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import schema from '../../docs/pathmeter.schema.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { argsOf, root, stages, wordsOf } from './dockerfile.ts'

describe('image', () => {
  test('runs as a numeric user that is not root', () => {
    expect(argsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)])
  })

  test('stands on glibc, as the Node of the lock file does', () => {
    expect(argsOf('FROM')).toEqual([expect.stringMatching(/^debian:[a-z]+-slim$/)])
  })

  test('needs no shell to start, and starts what it carries', () => {
    const carried = argsOf('COPY').map((args) => args.split(' ').at(-1))
    expect(carried).toEqual(['/opt/pathmeter'])
    const [program, ...rest] = wordsOf('ENTRYPOINT')
    expect([program, rest.at(-1)]).toEqual(['/opt/pathmeter/node', '/opt/pathmeter/pathmeter.mjs'])
    expect(wordsOf('CMD')[0]).toBe('agent')
  })

  test('passes Node the flags that bin/pathmeter passes', () => {
    const [, flags = ''] =
      /\nexec "\$here\/node" (.*) "\$here\/\.\.\/src/.exec(
        readFileSync(join(root, 'bin/pathmeter'), 'utf8'),
      ) ?? []
    expect(flags.split(' ')).toEqual(wordsOf('ENTRYPOINT').slice(1, -1))
  })

  test('exposes every port that is listened on by default', () => {
    const exposed = argsOf('EXPOSE').join(' ').split(' ')
    const { web, respond } = schema.properties
    const listen = [
      web.properties.listen.default,
      respond.properties.http.default,
      respond.properties.tcp.default,
    ]
    expect(exposed).toEqual(expect.arrayContaining(listen.map((address) => address.replace(/^:/, ''))))
  })

  test('is labelled with the version and the licence of the package', () => {
    expect(argsOf('ARG')).toEqual([`VERSION=${manifest.version}`])
    const labels = argsOf('LABEL').join(' ')
    expect(labels).toContain('org.opencontainers.image.version="$VERSION"')
    expect(labels).toContain(`org.opencontainers.image.licenses="${manifest.license}"`)
  })
})

describe('build of the image', () => {
  const [build = []] = stages
  const copied = argsOf('COPY', build).flatMap((args) => args.split(' ').slice(0, -1))

  test.each(copied)('finds %s, and .dockerignore lets it through', (path) => {
    expect(existsSync(join(root, path))).toBe(true)
    const allowed = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(allowed).toContain(path)
  })

  test('runs only scripts that were copied', () => {
    const scripts = argsOf('RUN', build).flatMap(
      (args) => args.match(/\b(scripts|bin)\/[\w.-]+(?!\/)/g) ?? [],
    )
    const run = scripts.filter((path) => path !== 'bin/node' || copied.includes('bin/node'))
    expect(run.filter((path) => !copied.includes(path))).toEqual([])
    expect(run).toContain('scripts/build.ts')
  })
})
