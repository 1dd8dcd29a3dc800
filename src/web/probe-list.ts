import type { Place } from '../model/path.ts'
import type { Probeable } from './input.ts'
import { printable } from './printable.ts'
import { renderTable } from './text-table.ts'

/** Where a peer is probed afresh, relative to the server's root. */
export function probeUrl(peer: string): string {
  return `/probe/peer/${encodeURIComponent(peer.toWellFormed())}`
}

/** What can be probed from here, for a person at a terminal. */
export function probeListText(self: Place, probeable: readonly Probeable[]): string {
  const from = `${printable(self.node)} (${printable(self.zone)})`
  if (probeable.length === 0) {
    return `Nothing can be probed from ${from} yet: no peer has checks. See /api/v1/peers.\n`
  }
  const rows = probeable.map((one) => [
    printable(one.peer),
    printable(one.zone),
    one.kinds.join(', '),
    probeUrl(one.peer),
  ])
  return (
    `What can be probed from ${from}. A URL probes now; a kind added to it, such as /${probeable[0]?.kinds[0]}, probes by that alone.\n` +
    `JSON with "Accept: application/json".\n\n` +
    renderTable([{ title: 'peer' }, { title: 'zone' }, { title: 'kinds' }, { title: 'url' }], rows)
  )
}
