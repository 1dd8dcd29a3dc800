import { describe, expect, test } from 'vitest'
import { checkOf, type ProbePlan, planProbe } from '../../../src/commands/probe/plan-probe.ts'

const FLAGS = { count: 5, interval: 1 }

function planned(...args: Parameters<typeof planProbe>): ProbePlan {
  const plan = planProbe(...args)
  if ('problem' in plan) throw new Error(plan.problem)
  return plan
}

describe('one-off probe', () => {
  test('has the limit that an agent would have', () => {
    expect(planned('tcp', 'erp-db:5432', FLAGS).limit).toBe(8)
    expect(planned('tcp', 'erp-db:5432', { ...FLAGS, limit: 2 }).limit).toBe(2)
  })

  test('makes new connections unless a kept one is asked for', () => {
    expect(planned('http', 'a:80', FLAGS).connection).toBe('new')
    expect(planned('http', 'a:80', { ...FLAGS, kept: true }).connection).toBe('reused')
  })

  test('says what is wrong with a target', () => {
    expect(planProbe('tcp', 'erp-db', FLAGS)).toEqual({
      problem: 'Cannot probe "erp-db" by tcp: must be HOST:PORT, such as 10.8.0.5:5432 or [fd00::5]:5432',
    })
  })

  test('refuses to keep the connection of a kind that keeps none', () => {
    expect(planProbe('tcp', 'erp-db:5432', { ...FLAGS, kept: true })).toEqual({
      problem: 'Cannot probe by tcp with --kept: it knows no kept connection',
    })
  })

  test('is a check towards the address, under the name that was typed', () => {
    const plan = planned('http', 'https://models.internal/healthz', { ...FLAGS, limit: 2 })
    expect(checkOf(plan, { address: 'fd00::5', family: 6 })).toMatchObject({
      kind: 'http',
      connection: 'new',
      every: 1,
      limit: 2,
      overlap: 1,
      options: { path: '/healthz', host: 'models.internal', tls: true },
      target: {
        identity: 'https://models.internal/healthz',
        boundary: 'external',
        via: 'target',
        address: 'fd00::5',
        port: 443,
        family: 6,
        rotating: false,
      },
    })
  })

  test('demands the node that is expected', () => {
    const plan = planned('tcp', '10.0.0.2:9703', { ...FLAGS, responder: true, expect: 'node-b' })
    expect(checkOf(plan, { address: '10.0.0.2', family: 4 })).toMatchObject({
      options: { echo: true },
      target: { expectNode: 'node-b' },
    })
  })
})
