import { describe, expect, it } from 'vitest'
import { lossOf } from '../../src/web/loss.ts'
import { fakeWindow } from './fake-input.ts'

describe('loss', () => {
  it('counts failed and skipped of all that were due', () => {
    expect(lossOf(fakeWindow({ ok: 1197, failed: 1, skipped: 2 }))).toEqual({
      text: '3/1200',
      percent: '0.25%',
    })
    expect(lossOf(fakeWindow({ ok: 2, failed: 1 }))).toEqual({ text: '1/3', percent: '33%' })
    expect(lossOf(fakeWindow({ ok: 0, failed: 9 }))).toEqual({ text: '9/9', percent: '100%' })
  })

  it('has no percentage at zero and no value while nothing was due', () => {
    expect(lossOf(fakeWindow({ ok: 75 }))).toEqual({ text: '0/75' })
    expect(lossOf(fakeWindow({ ok: 0 }))).toBeUndefined()
  })
})
