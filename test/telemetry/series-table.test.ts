import { expect, test } from 'vitest'
import { SeriesTable } from '../../src/telemetry/series-table.ts'

test('a series is one per label set of the path and values of the own labels, whatever stands in them', () => {
  const table = new SeriesTable(['a', 'b'], (labels) => ({ labels }))
  const [here, there] = [{ labels: { dst: 'n2' } }, { labels: { dst: 'n3' } }]
  const first = table.obtain(here, { value: 1, labels: { a: 'x,y', b: 'z' } })
  expect(first.labels).toEqual({ dst: 'n2', a: 'x,y', b: 'z' })
  expect(table.obtain(here, { value: 2, labels: { b: 'z', a: 'x,y', other: 'dropped' } })).toBe(first)
  expect(table.obtain(here, { value: 2, labels: { a: 'x', b: 'y,z' } })).not.toBe(first)
  expect(table.obtain(there, { value: 2, labels: { a: 'x,y', b: 'z' } })).not.toBe(first)
  expect(table.obtain(here, { value: 2 }).labels).toEqual({ dst: 'n2', a: '', b: '' })
  expect(table.drop(here)).toHaveLength(3)
  expect([...table.values()].map(({ labels }) => labels)).toEqual([{ dst: 'n3', a: 'x,y', b: 'z' }])
})
