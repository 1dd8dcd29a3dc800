import { describe, expect, test } from 'vitest'
import { plain } from '../../../src/commands/paint.ts'
import { createProbeRows, type RowsOptions } from '../../../src/commands/probe/probe-rows.ts'
import { FAR_END, facts, failed, kernel, onKept, succeeded } from './sample.ts'

const HTTP: RowsOptions = {
  phases: ['connect', 'request', 'first_byte', 'transfer'],
  responder: true,
  kept: false,
  paint: plain,
}

/** Rows without the time of day, which depends on where the test runs. */
function linesOf(
  options: Partial<RowsOptions>,
  ...attempts: Parameters<ReturnType<typeof createProbeRows>['lines']>[0][]
) {
  const rows = createProbeRows({ ...HTTP, ...options })
  return [rows.titles, ...attempts.flatMap(rows.lines)].map((line) => line.slice('hh:mm:ss'.length))
}

describe('probe rows', () => {
  test('stand under their titles, with what was not measured as a dash', () => {
    const answered = succeeded(0.004, { facts: facts({ farEnd: FAR_END, kernel: kernel(0.00004) }) })
    expect(linesOf({}, answered, failed(8))).toEqual([
      '  RESULT   TOTAL  CONNECT  REQUEST  1ST BYTE  TRANSFER     RTT  RESIDENCE  NODE',
      '  ok        4.00     1.00        -      2.00         -    0.04       0.20  node-b',
      '  failed   8,000    8,000        -         -         -       -          -  -',
      '  timeout_connect in connect: No result within 8.00s',
    ])
  })

  test('have no columns for who answered where nobody says it', () => {
    expect(linesOf({ responder: false }, succeeded(0.004))).toEqual([
      '  RESULT   TOTAL  CONNECT  REQUEST  1ST BYTE  TRANSFER     RTT',
      '  ok        4.00     1.00        -      2.00         -    0.40',
    ])
  })

  test.each([
    [200, '  RESULT   TOTAL  CONNECT     TLS  REQUEST  1ST BYTE  TRANSFER     RTT  RESIDENCE  NODE'],
    [99, '  RESULT   TOTAL  CONNECT     TLS  REQUEST  1ST BYTE  TRANSFER     RTT  RESIDENCE  NODE'],
    [90, '  RESULT   TOTAL  CONNECT     TLS  1ST BYTE  TRANSFER     RTT  RESIDENCE  NODE'],
    [80, '  RESULT   TOTAL  CONNECT     TLS  1ST BYTE     RTT  RESIDENCE  NODE'],
    [72, '  RESULT   TOTAL  CONNECT     TLS  1ST BYTE     RTT  NODE'],
    [20, '  RESULT   TOTAL  CONNECT     TLS  1ST BYTE     RTT  NODE'],
  ])('drop what matters least in a terminal of %d columns', (width, titles) => {
    const phases = ['connect', 'tls', 'request', 'first_byte', 'transfer'] as const
    expect(linesOf({ phases, width })).toEqual([titles])
  })

  test('mark with a star what starvation has spoilt', () => {
    expect(linesOf({}, succeeded(0.004, { noise: { far: 0.003 } }))[1]).toMatch(/^ {2}ok \* {6}4\.00 /)
  })

  test('say what made the connection, and what was lost', () => {
    const first = succeeded(1.02, { facts: facts({ kernel: kernel(undefined, 1) }) })
    expect(linesOf({ kept: true }, first, onKept(0.001)).slice(2)).toEqual([
      '  1 SYN sent again: loss, and no round trip; made the connection, so its time is not in the summary',
      '  ok        1.00        -        -      1.00         -       -          -  -',
    ])
  })

  test('are red where an attempt failed, after they were laid out', () => {
    const rows = createProbeRows({ ...HTTP, paint: (style, text) => `<${style}>${text}</>` })
    expect(rows.lines(failed(8)).every((line) => /^<red>.*<\/>$/.test(line))).toBe(true)
    expect(rows.lines(succeeded(1)).join()).not.toContain('<')
  })
})
