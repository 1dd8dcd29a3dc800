import type { Seconds } from '../../model/duration.ts'
import type { ColdTaxView } from '../../model/view.ts'
import { probeUrl } from '../probe-list.ts'
import type { PathRow, PeerGroup, ZoneGroup } from './group-paths.ts'
import { type Html, html } from './html.ts'
import { formatMilliseconds } from './numbers.ts'
import { conditionMark, pathCells } from './path-row.ts'

/** One destination zone: what a new connection costs there, and its paths by peer. */
export function zoneSection(group: ZoneGroup, index: number, now: Seconds): Html {
  const id = `zone-${index}`
  // Explicit roles: a narrow screen shows rows as blocks, and browsers then forget that this is a table.
  return html`<section class="zone" aria-labelledby="${id}">
<header>
<h2 id="${id}">${group.zone}</h2>
<p class="tally">${group.own ? html`<span class="own">this zone</span> ` : undefined}${tally(group)}</p>
${group.coldTaxes.length === 0 ? undefined : coldTaxes(group.coldTaxes)}
</header>
<div class="scroll" id="${id}-paths" role="region" aria-labelledby="${id}" tabindex="0">
<table role="table" aria-labelledby="${id}">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col" class="col-peer">peer</th>
<th role="columnheader" scope="col" class="col-probe">probe</th>
<th role="columnheader" scope="col" class="col-state">state</th>
<th role="columnheader" scope="col" class="number col-p50">p50 <span class="unit">ms</span></th>
<th role="columnheader" scope="col" class="number col-p99">p99 <span class="unit">ms</span></th>
<th role="columnheader" scope="col" class="number col-rtt">kernel RTT <span class="unit">ms</span></th>
<th role="columnheader" scope="col" class="number col-loss">loss</th>
<th role="columnheader" scope="col" class="col-failure">last failure</th>
</tr></thead>
${group.peers.map((peer) => peerBody(peer, now))}
</table>
</div>
</section>`
}

function tally({ counts, peers }: ZoneGroup): Html {
  const total = counts.failing + counts.stale + counts.unmeasured + counts.ok
  const parts: Html[] = []
  if (counts.failing > 0) parts.push(conditionMark('failing', `${counts.failing} failing`))
  if (counts.stale > 0) parts.push(conditionMark('stale', `${counts.stale} stale`))
  if (counts.unmeasured > 0) parts.push(conditionMark('unmeasured', `${counts.unmeasured} unmeasured`))
  parts.push(
    html`<span>${total} ${total === 1 ? 'path' : 'paths'} to ${peers.length} ${peers.length === 1 ? 'peer' : 'peers'}</span>`,
  )
  return html`${parts}`
}

function coldTaxes(taxes: readonly ColdTaxView[]): Html {
  const items = taxes.map(
    (tax) =>
      html`<span class="amount">${tax.probe} <b>${tax.seconds < 0 ? '−' : '+'}${formatMilliseconds(Math.abs(tax.seconds))}</b> ms <span class="sub">N=${tax.samples}</span></span>`,
  )
  return html`<p class="tax">Cold tax: ${items}</p>`
}

function peerBody(group: PeerGroup, now: Seconds): Html {
  const families = new Set(group.rows.map(({ path }) => path.check.target.family))
  const vias = new Set(group.rows.map(({ path }) => path.check.target.via))
  const rows = group.rows.map((row, index) => {
    const { family, via } = row.path.check.target
    const qualifier = [families.size > 1 ? `IPv${family}` : '', vias.size > 1 ? via : '']
    return html`<tr role="row" class="${row.condition}">
${index === 0 ? peerHeading(group) : undefined}${pathCells(row, qualifier.filter((part) => part !== '').join(' '), now)}
</tr>`
  })
  return html`<tbody role="rowgroup"${worstClass(group.rows)}>
${rows}
</tbody>`
}

function peerHeading({ peer, boundary, rows }: PeerGroup): Html {
  return html`<th role="rowheader" scope="rowgroup" rowspan="${rows.length}" class="peer"><a id="peer-${peer}" href="${probeUrl(peer).slice(1)}" title="probe now">${peer}</a> <span class="sub">${boundary.replaceAll('_', ' ')}</span></th>
`
}

function worstClass(rows: readonly PathRow[]): Html | undefined {
  return rows.some(({ condition }) => condition === 'failing') ? html` class="has-failing"` : undefined
}
