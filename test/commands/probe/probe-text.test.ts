import { describe, expect, test } from 'vitest'
import { summarize } from '../../../src/commands/probe/attempts.ts'
import { type ProbeFlags, planProbe } from '../../../src/commands/probe/plan-probe.ts'
import { headlines, summaryText } from '../../../src/commands/probe/probe-text.ts'
import { failed, succeeded } from './sample.ts'

function headlinesOf(target: string, flags: ProbeFlags, ...addresses: [string, ...string[]]) {
  const plan = planProbe('http', target, flags)
  if ('problem' in plan) throw new Error(plan.problem)
  const [first, ...others] = addresses.map(
    (address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const,
  )
  return headlines(plan, [first ?? { address: '', family: 4 }, ...others])
}

describe('probe headlines', () => {
  test('say what a name is, what is probed, how often and how', () => {
    expect(headlinesOf('models.internal:80', { count: 5, interval: 0.25 }, 'fd00::5', '10.0.0.5')).toEqual([
      'models.internal is fd00::5, 10.0.0.5',
      'http to [fd00::5]:80: 5 attempts, 250ms apart, on a new connection each',
      'each gets /, any 2xx or 3xx will do, within 8s; times in ms',
    ])
  })

  test('do not explain an address', () => {
    expect(headlinesOf('10.0.0.5:80', { count: 1, interval: 1, kept: true }, '10.0.0.5')[0]).toBe(
      'http to 10.0.0.5:80: one attempt, on one kept connection',
    )
  })
})

describe('probe summary for people', () => {
  test('has counts and the quantiles there are', () => {
    expect(summaryText(summarize([succeeded(0.001), failed(8)], false))).toBe(
      '1 ok, 1 failed: p50 1.00ms, p99 1.00ms, max 1.00ms, kernel RTT p50 100us',
    )
    expect(summaryText(summarize([failed(8)], false))).toBe('0 ok, 1 failed')
  })

  test('says what it leaves out', () => {
    const spoilt = succeeded(0.001, { noise: { own: 1 } })
    expect(summaryText(summarize([spoilt], false))).toBe(
      '1 ok, 0 failed: kernel RTT p50 100us\n1 marked * left out: an end was short of CPU',
    )
  })

  test('says that there is none', () => {
    expect(summaryText(summarize([], false))).toBe('nothing was measured')
  })
})
