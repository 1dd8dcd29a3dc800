import { describe, expect, test } from 'vitest'
import { resolveTarget } from '../../../src/commands/probe/resolve-target.ts'

describe('target', () => {
  test('that is an address is its own answer', async () => {
    expect(await resolveTarget('127.0.0.1', undefined)).toEqual({
      addresses: [{ address: '127.0.0.1', family: 4 }],
    })
    expect(await resolveTarget('::1', 6)).toEqual({ addresses: [{ address: '::1', family: 6 }] })
  })

  test('is resolved as the hosts file says', async () => {
    expect(await resolveTarget('localhost', 4)).toEqual({ addresses: [{ address: '127.0.0.1', family: 4 }] })
  })

  test('without an address of the wanted family says what it has', async () => {
    expect(await resolveTarget('127.0.0.1', 6)).toEqual({
      problem: 'Cannot probe "127.0.0.1" over IPv6: it has only 127.0.0.1',
    })
  })

  test('that is no name says so', async () => {
    // Longer than a label may be, so that no resolver is asked (RFC 1035, 2.3.4).
    const name = `${'a'.repeat(64)}.invalid`
    expect(await resolveTarget(name, undefined)).toEqual({
      problem: expect.stringMatching(new RegExp(`^Cannot resolve "${name}": E[A-Z_]+$`)),
    })
  })
})
