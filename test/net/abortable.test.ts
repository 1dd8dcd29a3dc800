import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { abortable } from '../../src/net/abortable.ts'

describe('abortable', () => {
  test.each([
    ['resolves', (resolve: () => void) => resolve()],
    ['rejects', (_resolve: () => void, reject: (error: unknown) => void) => reject(new Error('no'))],
  ])('undoes its listeners when it %s', async (_how, settle) => {
    const { signal } = new AbortController()
    let stopped = 0
    const promise = abortable<void>(signal, (resolve, reject) => {
      setImmediate(() => settle(resolve, reject))
      return () => {
        stopped += 1
      }
    })
    await Promise.allSettled([promise])
    expect(stopped).toBe(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('rejects with the reason of the signal, and then stops too', async () => {
    const controller = new AbortController()
    let stopped = 0
    const promise = abortable(controller.signal, () => () => {
      stopped += 1
    })
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(promise).rejects.toBe(reason)
    expect(stopped).toBe(1)
  })

  test('does not begin under a signal that is aborted', async () => {
    let started = false
    const promise = abortable(AbortSignal.abort(new Error('before')), () => {
      started = true
      return () => undefined
    })
    await expect(promise).rejects.toThrow('before')
    expect(started).toBe(false)
  })
})
