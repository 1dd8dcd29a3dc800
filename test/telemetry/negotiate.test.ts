import { expect, test } from 'vitest'
import { negotiate } from '../../src/telemetry/negotiate.ts'

const PROMETHEUS_2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
const PROMETHEUS_3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1'

test.each([
  ['openmetrics', PROMETHEUS_2],
  ['openmetrics', PROMETHEUS_3],
  ['openmetrics', 'application/openmetrics-text'],
  ['openmetrics', 'Application/OpenMetrics-Text ; Version="1.0.0"'],
  ['plain', 'text/plain;version=0.0.4;q=0.9,application/openmetrics-text;version=1.0.0;q=0.5'],
  ['plain', 'application/openmetrics-text;version=0.0.1,text/plain;q=0.1'],
  ['plain', 'application/openmetrics-text;q=0'],
  ['plain', 'application/openmetrics-text;q=much'],
  ['plain', 'text/html,application/xhtml+xml,*/*;q=0.8'],
  ['plain', '*/*'],
  ['plain', ''],
  ['plain', undefined],
] as const)('%s is the answer to Accept: %s', (format, accept) => {
  expect(negotiate(accept)).toBe(format)
})
