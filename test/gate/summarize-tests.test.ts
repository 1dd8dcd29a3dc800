import { expect, test } from 'vitest'
import { summarize, type TestReport } from '../../scripts/summarize-tests.ts'

function reportOf(...statuses: string[]): TestReport {
  const failed = statuses.includes('failed')
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index}` }))
  return {
    success: !failed,
    testResults: [{ name: 'a.test.ts', status: failed ? 'failed' : 'passed', assertionResults }],
  }
}

test('a run in which all passed closes with their number and is good', () => {
  expect(summarize(reportOf('passed', 'passed'), 0)).toEqual({ lines: ['2 passed, 0 failed'], good: true })
})

test('a failed test is named and counted', () => {
  expect(summarize(reportOf('passed', 'failed'), 1)).toEqual({
    lines: ['test 1: failed', '1 passed, 1 failed'],
    good: false,
  })
})

test.each(['pending', 'skipped', 'todo'])('a test that is %s counts as failed', (status) => {
  expect(summarize(reportOf('passed', status), 0)).toEqual({
    lines: [`test 1: ${status}`, '1 passed, 1 failed'],
    good: false,
  })
})

test('a file that cannot be loaded counts as failed', () => {
  const report = {
    success: false,
    testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }],
  }
  expect(summarize(report, 1)).toEqual({
    lines: ['a.test.ts could not be run', '0 passed, 1 failed'],
    good: false,
  })
})

test('a gate that fails where all tests pass counts as one failure', () => {
  expect(summarize(reportOf('passed'), 2)).toEqual({
    lines: ['Every test passed, but the run ended with exit code 2', '1 passed, 1 failed'],
    good: false,
  })
})

test('an error outside of any test counts as one failure', () => {
  expect(summarize({ ...reportOf('passed'), success: false }, 0).good).toBe(false)
})

test.each([
  ['without a report', undefined],
  ['without a test', { success: true, testResults: [] }],
])('a run %s is not good', (_, report) => {
  expect(summarize(report, 0)).toEqual({ lines: ['No test was run', '0 passed, 1 failed'], good: false })
})
