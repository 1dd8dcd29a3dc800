import { expect, it } from 'vitest'
import type { Slot } from '../../src/telemetry/attempt-ring.ts'
import { windowView } from '../../src/telemetry/window-view.ts'

function ok(duration: number, flagged: boolean): Slot {
  return { at: 0, result: 'ok', flagged, duration }
}

it('durations of a window leave flagged attempts out as long as there are others', () => {
  const view = windowView([ok(1, false), ok(3, false), ok(90, true)], 60)
  expect(view).toMatchObject({ ok: 3, flagged: 1, p50: 1, p99: 3 })
  expect(view).not.toHaveProperty('noisy')
})

it('durations of a window in which every attempt is flagged are shown, and marked', () => {
  expect(windowView([ok(2, true), ok(4, true)], 60)).toMatchObject({
    flagged: 2,
    p50: 2,
    p99: 4,
    noisy: true,
  })
})

it('a window without a success has no durations', () => {
  const failed: Slot = { at: 0, result: 'failed', flagged: true, duration: 8 }
  const view = windowView([failed], 60)
  for (const key of ['p50', 'p99', 'noisy']) expect(view).not.toHaveProperty(key)
})
