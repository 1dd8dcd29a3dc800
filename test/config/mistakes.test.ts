import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatProblems } from '../../src/config/format-problems.ts'
import { parseConfig } from '../../src/config/load.ts'

const folder = join(import.meta.dirname, 'mistakes')
const environment = { variables: {}, hostname: 'n1' }

describe('a configuration is refused with every mistake, its path and its value', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))

  test.each(files)('%s', (file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const expected = readFileSync(join(folder, file.replace(/\.yaml$/, '.txt')), 'utf8')
    const loaded = parseConfig(text, environment)
    expect('problems' in loaded && `${formatProblems(file, loaded.problems)}\n`).toBe(expected)
  })

  test('every expected message has its file', () => {
    const expected = readdirSync(folder).filter((file) => file.endsWith('.txt'))
    expect(expected.map((file) => file.replace(/\.txt$/, '.yaml'))).toEqual(files)
  })
})
