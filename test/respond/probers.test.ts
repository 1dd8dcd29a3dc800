import { describe, expect, test } from 'vitest'
import { Probers } from '../../src/respond/probers.ts'

describe('probers', () => {
  test('are those of the last minute, by name where one was told', () => {
    const probers = new Probers()
    probers.saw('aa', undefined, 0)
    probers.saw('bb', 'n2', 30)
    expect(probers.current(30)).toEqual(['aa', 'n2'])
    probers.saw('aa', 'n1', 40)
    probers.saw('aa', undefined, 50)
    expect(probers.current(90)).toEqual(['n1', 'n2'])
    expect(probers.current(91)).toEqual(['n1'])
    expect(probers.current(111)).toEqual([])
  })

  test('are 10,000 at most: whoever sends other names all the time takes no more memory', () => {
    const probers = new Probers()
    for (let i = 0; i < 10_050; i++) probers.saw(`hash-${i}`, `name-${i}`, 0)
    const known = probers.current(0)
    expect(known).toHaveLength(10_000)
    expect(known).not.toContain('name-49')
    expect(known).toContain('name-50')
  })
})
