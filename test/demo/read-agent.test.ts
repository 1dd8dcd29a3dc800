import { expect, test } from 'vitest'
import { parseColdTaxes } from '../../src/demo/read-agent.ts'

test('cold taxes of http are read out of an exposition, by destination zone', () => {
  const exposition = `# HELP pathmeter_cold_tax_seconds What a new connection costs above a kept one.
# TYPE pathmeter_cold_tax_seconds gauge
pathmeter_cold_tax_seconds{dst_zone="zone-b",boundary="cross_zone",via="pod",probe="http",ip_family="4"} 0.00049
pathmeter_cold_tax_seconds{dst_zone="dc1",boundary="on_prem",via="pod",probe="http",ip_family="4"} -1e-05
pathmeter_cold_tax_seconds{dst_zone="zone-c",boundary="cross_zone",via="pod",probe="grpc",ip_family="4"} 0.7
pathmeter_other{dst_zone="zone-d",probe="http"} 1
`
  expect([...parseColdTaxes(exposition)]).toEqual([
    ['zone-b', 0.00049],
    ['dc1', -0.00001],
  ])
  expect(parseColdTaxes('').size).toBe(0)
})
