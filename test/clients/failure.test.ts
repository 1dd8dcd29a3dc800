import { describe, expect, test } from 'vitest'
import { BadAnswer, failureOf } from '../../src/clients/failure.ts'
import { Cancelled, DeadlineExceeded } from '../../src/net/deadline.ts'

describe('failureOf', () => {
  test('says nothing of an attempt that was cancelled', () => {
    expect(failureOf(new Cancelled(), 'first_byte', 'tcp')).toBeUndefined()
  })

  test.each([
    ['a deadline', new DeadlineExceeded(8), 'timeout_first_byte', 'No result within 8.00s'],
    ['an answer that is none', new BadAnswer('wrong_peer', 'Another one'), 'wrong_peer', 'Another one'],
    ['an error of the system', withCode('ENETUNREACH', 'no route'), 'unreachable', 'no route'],
    ['an error of this program', new TypeError('x is not a function'), 'internal', 'x is not a function'],
    ['anything that was thrown', 'text', 'internal', 'text'],
    ['nothing that was thrown', undefined, 'internal', 'undefined'],
  ])('names %s', (_what, error, reason, detail) => {
    expect(failureOf(error, 'first_byte', 'http')).toEqual({ reason, phase: 'first_byte', detail })
  })
})

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
