import { describe, expect, test } from 'vitest'
import { completePaths, conclusion, demoJson, progressText } from '../../src/demo/mesh-report.ts'
import { EXPECTED, healthyPaths, RUNNING, withPath } from './sample.ts'

const PATH = { src: 'node-a', dst: 'onprem-1', probe: 'http', connection: 'reused' } as const

describe('demo paths', () => {
  test('are those expected, in that order, whatever was measured', () => {
    const measured = healthyPaths().toReversed().slice(1)
    const strange = healthyPaths().map((path) => ({ ...path, dst: 'stranger' }))
    const paths = completePaths(EXPECTED, [...measured, ...strange])
    expect(paths.map(({ src, dst, probe, connection }) => ({ src, dst, probe, connection }))).toEqual(
      EXPECTED.map(({ src, dst, probe, connection }) => ({ src, dst, probe, connection })),
    )
    expect(paths.at(-1)).toEqual({ ...EXPECTED.at(-1), ok: 0, failed: 0 })
    expect(paths.at(0)).toMatchObject({ ok: 20 })
  })
})

describe('demo conclusion', () => {
  test('is good when every path was measured without a failure', () => {
    expect(conclusion(healthyPaths(), [])).toEqual({
      good: true,
      sentences: ['Every path was measured by every kind, without a failure'],
    })
  })

  test('names a path that was not measured', () => {
    expect(conclusion(withPath(PATH, { ok: 0 }), [])).toEqual({
      good: false,
      sentences: ['node-a to onprem-1, http reused: not measured'],
    })
  })

  test('names a path that failed, with the last reason', () => {
    const lastFailure = 'refused in connect: connect ECONNREFUSED'
    expect(conclusion(withPath(PATH, { ok: 3, failed: 1, lastFailure }), [])).toEqual({
      good: false,
      sentences: [`node-a to onprem-1, http reused: 1 of 4 failed, last ${lastFailure}`],
    })
    expect(conclusion(withPath(PATH, { ok: 0, failed: 4 }), []).sentences).toEqual([
      'node-a to onprem-1, http reused: 4 of 4 failed',
    ])
  })

  test('is not good when an agent does not answer, whatever it said before', () => {
    expect(conclusion(healthyPaths(), ['node-b'])).toEqual({
      good: false,
      sentences: ['node-b does not answer'],
    })
  })
})

test('demo progress counts paths and attempts', () => {
  expect(progressText(withPath(PATH, { ok: 0, failed: 4 }))).toBe(
    '35 of 36 paths measured; 4 of 704 attempts failed',
  )
})

describe('demo document', () => {
  const document = JSON.parse(
    JSON.stringify(demoJson(RUNNING, withPath(PATH, { ok: 0, loss: undefined, p50: undefined }))),
  )

  test('has the agents with their zones and pages', () => {
    expect(document.apiVersion).toBe('v1')
    expect(document.agents[0]).toEqual({ node: 'node-a', zone: 'zone-a', url: 'http://127.0.0.1:20001' })
    expect(document.agents).toHaveLength(3)
  })

  test('has every path with every key, and null for what is not known', () => {
    expect(document.paths).toHaveLength(36)
    const [path] = document.paths.filter(
      (each: Record<string, unknown>) =>
        each['src'] === PATH.src && each['dst'] === PATH.dst && each['connection'] === PATH.connection,
    )
    expect(path).toEqual({
      src: 'node-a',
      dst: 'onprem-1',
      dst_zone: 'dc1',
      boundary: 'on_prem',
      probe: 'http',
      connection: 'reused',
      ok: 0,
      failed: 0,
      loss: null,
      p50_seconds: null,
      p99_seconds: 0.0123,
    })
  })
})
