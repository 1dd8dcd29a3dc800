import { describe, expect, test } from 'vitest'
import { type DemoView, demoLines } from '../../src/demo/demo-table.ts'
import type { MeasuredPath } from '../../src/demo/mesh-report.ts'
import { healthyPaths, RUNNING, WAYS, withPath } from './sample.ts'

function view(paths: readonly MeasuredPath[] = healthyPaths()): DemoView {
  const coldTaxes = new Map([['node-a', new Map([['dc1', 0.00023]])]])
  return { ways: WAYS, agents: RUNNING, paths, coldTaxes, span: 'the last 5 minutes', time: '12s of 20s' }
}

function texts(given: DemoView, width = 80): readonly string[] {
  return demoLines(given, width).map(({ text }) => text)
}

describe('demo table', () => {
  test('has a block for each agent, with its address above its paths', () => {
    expect(texts(view()).slice(0, 11)).toEqual([
      'Three agents in three zones and one on-prem responder, on this machine',
      'tcp new every 500ms, http kept every 1s, http new every 2s; 12s of 20s',
      'Each URL has /, /metrics, /api/v1/paths, /probe/; ms over the last 5 minutes',
      '',
      '                           TCP NEW   HTTP KEPT    HTTP NEW  COLD  KERNEL',
      '  TO        BOUNDARY      P50  P99    P50  P99    P50  P99   TAX     RTT  FAILED',
      'node-a in zone-a  http://127.0.0.1:20001/',
      '  node-b    cross_zone   0.54 12.3   0.31 12.3   0.54 12.3     -    0.02    0/60',
      '  node-c    cross_zone   0.54 12.3   0.31 12.3   0.54 12.3     -    0.02    0/60',
      '  onprem-1  on_prem      0.54 12.3   0.31 12.3   0.54 12.3  0.23    0.02    0/60',
      '  node-a    loopback     0.54 12.3   0.31 12.3   0.54 12.3     -    0.02    0/60',
    ])
  })

  test('fits a terminal of 80 columns and 24 rows', () => {
    const lines = texts(view())
    expect(lines.length).toBeLessThan(24)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test('gives up the 99th percentiles in a narrower one', () => {
    expect(texts(view(), 77).slice(4, 6)).toEqual([
      '                        TCP NEW  HTTP KEPT  HTTP NEW  COLD  KERNEL',
      '  TO        BOUNDARY        P50        P50       P50   TAX     RTT  FAILED',
    ])
  })

  test('says under a row what failed there, in red', () => {
    const path = { src: 'node-b', dst: 'node-c', probe: 'http', connection: 'reused' } as const
    const lines = demoLines(
      view(withPath(path, { ok: 9, failed: 1, lastFailure: 'reset in first_byte: RST' })),
      80,
    )
    const at = lines.findIndex(({ text }) => text.endsWith('1/50'))
    expect(lines[at]?.text).toContain('  node-c    cross_zone  ')
    expect(lines[at + 1]).toEqual({
      text: '    http kept: 1 of 10 failed, last reset in first_byte: RST',
      style: 'red',
    })
    expect(lines.filter(({ style }) => style === 'red')).toHaveLength(2)
  })

  test('marks and explains times that starvation has spoilt', () => {
    const path = { src: 'node-b', dst: 'node-c', probe: 'http', connection: 'reused' } as const
    const noisy = texts(view(withPath(path, { noisy: true })))
    expect(noisy.filter((line) => line.includes('~'))).toEqual([
      '  node-c    cross_zone   0.54 12.3  ~0.31 12.3   0.54 12.3     -    0.02    0/60',
      "~ an end was short of CPU in every attempt: not the network's time alone",
    ])
  })
})
