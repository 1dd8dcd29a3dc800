import { isUtf8 } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')

/** Committed text files with their contents, and those about to be. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
})
  .toString()
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))
  .map((path) => ({ path, bytes: readFileSync(join(root, path)) }))
  .filter(({ bytes }) => isUtf8(bytes))
  .map(({ path, bytes }) => ({ path, text: bytes.toString() }))

function linesWith(pattern: RegExp, within: (path: string) => boolean = () => true): string[] {
  return files
    .filter(({ path }) => within(path))
    .flatMap(({ path, text }) =>
      text.split('\n').map((line, index) => ({ line, at: `${path}:${index + 1}` })),
    )
    .filter(({ line }) => pattern.test(line))
    .map(({ line, at }) => `${at}: ${line.trim().slice(0, 200)}`)
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

describe('every committed file', () => {
  test('is seen by these tests', () => {
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['package.json', 'src/model/check.ts']),
    )
  })

  test('puts nothing off', () => {
    // Spelt so that this file does not hold what it looks for.
    expect(linesWith(new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`))).toEqual([])
  })

  test('names no folder of the machine it was written on', () => {
    const place = new RegExp(
      `(^|[\\s"'\`(=:])/(${['wo' + 'rk', 'ro' + 'ot', 'ho' + 'me', 'Us' + 'ers'].join('|')})/`,
    )
    expect(linesWith(place)).toEqual([])
  })

  test('uses no fixed place for temporary files', () => {
    expect(linesWith(/["'`]\/(var\/)?tmp\//)).toEqual([])
  })
})

describe('code', () => {
  const isCode = (path: string) => path.endsWith('.ts') && path !== 'test/gate/tree.test.ts'

  test('silences neither compiler nor linter', () => {
    expect(linesWith(/@ts-(ignore|expect-error|nocheck)|biome-ignore|as unknown as/, isCode)).toEqual([])
  })

  test('that is pure reads neither clock nor chance', () => {
    const pure = (path: string) => /^src\/(model|wire|plan|judge)\//.test(path)
    expect(linesWith(/\b(Date\.now|Math\.random|randomUUID|randomBytes)\(|new Date\(\)/, pure)).toEqual([])
  })

  test('skips no test and singles none out', () => {
    const out = /\b(test|it|describe)(\.\w+)*\.(skip|skipIf|runIf|only|todo|fails)\b/
    expect(linesWith(out, (path) => isCode(path) && path.startsWith('test/'))).toEqual([])
  })
})

describe('dependencies', () => {
  const lock: { packages: Record<string, { resolved?: string; version?: string }> } = JSON.parse(
    textOf('package-lock.json'),
  )
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const all: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies }

  test('are locked without naming a registry', () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
    expect(textOf('.npmrc')).not.toMatch(/^\S*registry\s*=/m)
  })

  test('are exact, and locked at that version', () => {
    for (const [name, version] of Object.entries(all)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(lock.packages[`node_modules/${name}`]?.version).toBe(version)
    }
  })

  test('are each accounted for in docs/dependencies.md', () => {
    const listed = [...textOf('docs/dependencies.md').matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
      .map(([, name = '']) => name)
    expect(listed.sort()).toEqual(Object.keys(all).sort())
  })
})
