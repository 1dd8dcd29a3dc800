import { expect, test } from 'vitest'
import { nodeHash } from '../../src/wire/node-hash.ts'

test('node hash is the beginning of the SHA-256 of the name', () => {
  // printf n1 | sha256sum
  expect(nodeHash('n1')).toBe(HASH_OF_N1)
  expect(nodeHash('n2')).not.toBe(nodeHash('n1'))
})

const HASH_OF_N1 = '676b8bb84ce7267d'
