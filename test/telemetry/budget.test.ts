import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { httpFamilies } from '../../src/kinds/http/facts.ts'
import { tcpFamilies } from '../../src/kinds/tcp/facts.ts'
import type { PathFamily } from '../../src/model/family.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createTelemetry } from '../../src/telemetry/create-telemetry.ts'
import { createFakeClock } from './fixtures.ts'
import { fill, meshChecks, SELF } from './mesh.ts'

/** For the whole product at defaults, with 10 peers in 3 zones (design/metrics.md). */
const BUDGET = { series: 1100, bytes: 180 * 1024, gzipped: 20 * 1024 }
const SHARE = 0.55

const kinds = {
  tcp: tcpFamilies as readonly PathFamily<Observation>[],
  http: httpFamilies as readonly PathFamily<Observation>[],
}

async function measure(detail: 'full' | 'minimal') {
  const telemetry = createTelemetry({ kinds, clock: createFakeClock(), self: SELF, version: '0.1.0', detail })
  fill(telemetry, meshChecks(10))
  const { body } = await telemetry.render(undefined)
  const series = body.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
  return { series, bytes: Buffer.byteLength(body), gzipped: gzipSync(body).length }
}

test('tcp and http leave the other kinds their part of the budget, with every path failing', async () => {
  const used = await measure('full')
  for (const key of ['series', 'bytes', 'gzipped'] as const) {
    const share = used[key] / BUDGET[key]
    console.log(`${key}: ${used[key]} of ${BUDGET[key]} (${Math.round(100 * share)} %)`)
    expect(share).toBeLessThan(SHARE)
  }
})

test('minimal detail about halves the series and the text', async () => {
  const [full, minimal] = [await measure('full'), await measure('minimal')]
  for (const key of ['series', 'bytes'] as const) {
    console.log(`${key}: ${minimal[key]} of ${full[key]}`)
    expect(minimal[key] / full[key]).toBeLessThan(0.6)
  }
})
