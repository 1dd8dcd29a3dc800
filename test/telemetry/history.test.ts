import { expect, test } from 'vitest'
import type { Check } from '../../src/model/check.ts'
import { History } from '../../src/telemetry/history.ts'
import { DEPARTED_GRACE } from '../../src/telemetry/path-scopes.ts'
import { createAttempt, createCheck, createFakeClock, failedWith } from './fixtures.ts'
import { meshChecks } from './mesh.ts'

function start(budgetBytes?: number) {
  const clock = createFakeClock()
  return { clock, history: new History(budgetBytes === undefined ? { clock } : { clock, budgetBytes }) }
}

function began(check: Check = createCheck()) {
  const started = start()
  started.history.begin(check)
  return { ...started, check, view: () => started.history.path(check.id, started.clock.now()) }
}

test('a path that begins is unmeasured since then, with an empty window', () => {
  const { clock, check, view } = began()
  expect(view()).toEqual({
    check,
    state: 'unmeasured',
    since: clock.wall(),
    window: { seconds: 300, ok: 0, failed: 0, skipped: 0, flagged: 0 },
  })
})

test('a path is failing from its first failure until its next success, and keeps the details of the last failure', () => {
  const { clock, history, check, view } = began()
  clock.advance(1)
  history.record(check, createAttempt({ at: clock.now() }))
  const okSince = clock.wall()
  expect(view()).toMatchObject({ state: 'ok', since: okSince, last: { at: okSince, duration: 0.001 } })
  clock.advance(1)
  history.record(check, createAttempt())
  expect(view()).toMatchObject({ state: 'ok', since: okSince })

  clock.advance(1)
  const failingSince = clock.wall()
  history.record(check, createAttempt(failedWith('refused')))
  clock.advance(8)
  history.record(
    check,
    createAttempt({ ...failedWith('timeout_connect'), at: clock.now() - 8, phases: { connect: 8 } }),
  )
  const lastFailure = {
    at: failingSince,
    duration: 8,
    phases: { connect: 8 },
    failure: { reason: 'timeout_connect', phase: 'connect', detail: 'it was timeout_connect' },
  }
  expect(view()).toMatchObject({ state: 'failing', since: failingSince, last: lastFailure, lastFailure })

  clock.advance(1)
  history.record(check, createAttempt({ at: clock.now() }))
  expect(view()).toMatchObject({ state: 'ok', since: clock.wall(), last: { at: clock.wall() }, lastFailure })
  expect(view()?.last).not.toHaveProperty('failure')
})

test('a failure of the agent itself is shown, and is no evidence against the path', () => {
  const { history, check, view } = began()
  history.record(check, createAttempt(failedWith('local_resource')))
  expect(view()).toMatchObject({ state: 'unmeasured', window: { ok: 0, failed: 1 } })
  expect(view()?.window).not.toHaveProperty('loss')
  history.record(check, createAttempt())
  history.record(check, createAttempt(failedWith('local_resource')))
  expect(view()).toMatchObject({
    state: 'ok',
    lastFailure: { failure: { reason: 'local_resource' } },
    window: { ok: 1, failed: 2, loss: 0 },
  })
})

test('the window counts what was due, and takes percentiles of clean successes alone', () => {
  const { history, check, view } = began()
  const kernel = (rtt: number) => ({ kernel: { rtt, synRetransmits: 0, mss: 1448, pathMtu: 1500 } })
  for (let i = 1; i <= 100; i++) {
    history.record(check, createAttempt({ phases: { connect: i / 1000 }, facts: kernel(i / 1e5) }))
  }
  history.record(check, createAttempt({ phases: { connect: 5 }, noise: { own: 4 }, facts: kernel(0.0001) }))
  history.record(check, createAttempt({ ...failedWith('timeout_connect'), phases: { connect: 8 } }))
  history.record(check, createAttempt({ ...failedWith('refused'), extra: true }))
  history.skipped(check)
  history.skipped(check)
  expect(view()?.window).toEqual({
    seconds: 300,
    ok: 101,
    failed: 1,
    skipped: 2,
    flagged: 1,
    loss: 3 / 104,
    p50: 0.05,
    p99: 0.099,
    rttP50: 0.0005,
  })
})

test('the window ends with its seconds, and the hour is there for who asks', () => {
  const { clock, history, check, view } = began()
  for (let second = 0; second < 3600; second++) {
    history.record(check, createAttempt({ phases: { connect: 0.001 } }))
    clock.advance(1)
  }
  expect(view()?.window.ok).toBe(300)
  expect(history.path(check.id, clock.now(), 60)?.window.ok).toBe(60)
  expect(history.path(check.id, clock.now(), 3600)?.window.ok).toBe(3600)
})

test('rotating peers have no history, and a path that ended is not shown', () => {
  const { clock, history, check } = began()
  history.begin(createCheck({ id: 'rotating', target: { rotating: true } }))
  history.begin(createCheck({ id: 'other' }))
  expect(history.paths(clock.now()).map((view) => view.check.id)).toEqual([check.id, 'other'])
  history.forget(check)
  history.record(check, createAttempt())
  expect(history.paths(clock.now()).map((view) => view.check.id)).toEqual(['other'])
  expect(history.path(check.id, clock.now())).toBeUndefined()
})

test('a path that returns within the time of grace has its history, later it begins anew', () => {
  const { clock, history, check, view } = began()
  history.record(check, createAttempt())
  history.forget(check)
  clock.advance(DEPARTED_GRACE)
  const moved = createCheck({ target: { address: '127.0.0.9' } })
  history.begin(moved)
  expect(view()).toMatchObject({ state: 'ok', check: moved, window: { ok: 1 } })
  history.forget(moved)
  clock.advance(DEPARTED_GRACE + 1)
  history.begin(check)
  expect(view()).toMatchObject({ state: 'unmeasured', window: { ok: 0 } })
})

test('an hour of tcp and http to 10 peers at default rates fits the default budget in full', () => {
  const { clock, history } = start()
  const checks = meshChecks(10).filter(({ target }) => !target.rotating)
  for (const check of checks) history.begin(check)
  const attempt = createAttempt()
  for (const check of checks) for (let i = 0; i < 3700 / check.every; i++) history.record(check, attempt)
  for (const { check, window } of history.paths(clock.now(), 3600)) {
    expect(window.ok).toBe(Math.ceil(3600 / check.every))
  }
  expect(history.bytes).toBeLessThan(1.5 * 2 ** 20)
})

test('memory stays within the budget, shared by rate, and is freed when paths end', () => {
  const budget = 64 * 1024
  const { clock, history } = start(budget)
  const first = createCheck({ id: 'first' })
  history.begin(first)
  for (let i = 0; i < 4000; i++) history.record(first, createAttempt())
  const alone = history.bytes
  const others = Array.from({ length: 30 }, (_, i) =>
    createCheck({ id: `other ${i}`, every: i % 2 === 0 ? 1 : 4 }),
  )
  for (const check of others) {
    history.begin(check)
    for (let i = 0; i < 4000; i++) history.record(check, createAttempt())
    expect(history.bytes).toBeLessThanOrEqual(budget)
  }
  const [slow, fast] = [
    history.path(others[1]?.id ?? first.id, clock.now()),
    history.path(first.id, clock.now()),
  ]
  expect((fast?.window.ok ?? 0) / (slow?.window.ok ?? 0)).toBeCloseTo(4, 0)
  for (const check of [first, ...others]) history.forget(check)
  clock.advance(DEPARTED_GRACE + 1)
  history.begin(createCheck({ id: 'last' }))
  expect(history.bytes).toBeLessThan(alone / 10)
})
