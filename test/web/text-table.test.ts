import { describe, expect, it } from 'vitest'
import { renderTable } from '../../src/web/text-table.ts'

describe('text table', () => {
  it('aligns columns, numbers to the right, and ends no line in a space', () => {
    const table = renderTable(
      [{ title: 'peer' }, { title: 'total', align: 'right' }, { title: 'note' }],
      [
        ['n2', '1.23ms', ''],
        ['long-name', '8.00s', 'refused'],
      ],
    )
    expect(table).toBe('PEER        TOTAL  NOTE\nn2         1.23ms\nlong-name   8.00s  refused\n')
  })
})
