import type { Seconds } from '../../model/duration.ts'
import type { PeersView } from '../../model/view.ts'
import type { WebInput } from '../input.ts'
import { DEFAULT_WINDOW } from '../query.ts'
import { type Condition, countConditions, groupPaths, type ZoneGroup } from './group-paths.ts'
import { type Html, html, htmlText } from './html.ts'
import { formatAge, formatClock } from './numbers.ts'
import { conditionMark } from './path-row.ts'
import { zoneSection } from './zone-section.ts'

/** Spans that the page offers, the default first. */
const WINDOWS: readonly { readonly name: string; readonly seconds: Seconds }[] = [
  { name: '5m', seconds: DEFAULT_WINDOW },
  { name: '15m', seconds: 900 },
  { name: '1h', seconds: 3600 },
]
/** Discovery confirms its view within seconds; after this it is no longer the present. */
const PEERS_STALE_AFTER: Seconds = 120

/**
 * The status page. All its links are relative, so that it also works behind a proxy that adds a path
 * (`kubectl proxy`); the part that changes is inside `#live`, which the script replaces.
 */
export function statusPage(input: WebInput, window: Seconds): string {
  const now = input.now()
  const peers = input.peers()
  const zones = groupPaths(input.paths(window), input.coldTaxes(), input.self, now)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titleOf(input, zones)}</title>
<link rel="icon" href="page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="page/style.css">
<script src="page/refresh.js" defer></script>
</head>
<body>
<p id="refresh-problem" role="status"></p>
<div id="live">
${pageHeader(input, zones, window, now)}
<main>
${notices(input, peers, now)}
${zones.length === 0 ? emptyMessage(peers) : zones.map((zone, index) => zoneSection(zone, index, now))}
</main>
${pageFooter(input, peers)}
</div>
</body>
</html>
`
  return htmlText(page)
}

function titleOf({ self }: WebInput, zones: readonly ZoneGroup[]): string {
  const failing = totalOf(zones).failing
  return failing === 0 ? `${self.node} · Pathmeter` : `(${failing} failing) ${self.node} · Pathmeter`
}

function pageHeader({ self }: WebInput, zones: readonly ZoneGroup[], window: Seconds, now: Seconds): Html {
  const place = self.site === undefined || self.site === self.zone ? self.zone : `${self.zone}, ${self.site}`
  return html`<header class="page">
<div>
<p class="product">Pathmeter</p>
<h1>${self.node} <span class="place">${place}</span></h1>
</div>
<p class="summary">${summary(zones)}</p>
<nav aria-label="Span of the numbers"><span id="span-label">last</span>
${WINDOWS.map(
  ({ name, seconds }) =>
    html`<a id="span-${name}" href="${seconds === DEFAULT_WINDOW ? './' : `?window=${name}`}"${
      seconds === window ? html` aria-current="true"` : undefined
    }>${name}</a>`,
)}
<time id="as-of" datetime="${new Date(now * 1000).toISOString()}">${formatClock(now, now)} UTC</time></nav>
</header>`
}

function summary(zones: readonly ZoneGroup[]): Html {
  const counts = totalOf(zones)
  const total = counts.failing + counts.stale + counts.unmeasured + counts.ok
  if (total === 0) return conditionMark('unmeasured', 'no paths')
  if (counts.failing > 0) return conditionMark('failing', `${counts.failing} of ${total} paths failing`)
  if (counts.stale > 0) return conditionMark('stale', `${counts.stale} of ${total} paths stale`)
  if (counts.unmeasured > 0)
    return conditionMark('unmeasured', `${counts.unmeasured} of ${total} paths not measured yet`)
  return conditionMark('ok', total === 1 ? 'the only path ok' : `all ${total} paths ok`)
}

function totalOf(zones: readonly ZoneGroup[]): Readonly<Record<Condition, number>> {
  return countConditions(zones.flatMap((zone) => zone.peers.flatMap((peer) => peer.rows)))
}

function notices(input: WebInput, peers: PeersView, now: Seconds): Html | undefined {
  const { ready, why } = input.readiness()
  const items: Html[] = []
  if (!ready) items.push(html`<p class="notice"><b>Not ready.</b> ${why}</p>`)
  const age = now - peers.updatedAt
  if (age > PEERS_STALE_AFTER) {
    items.push(
      html`<p class="notice"><b>The list of peers is old.</b> It was last confirmed ${formatAge(age)} ago.</p>`,
    )
  }
  return items.length === 0 ? undefined : html`${items}`
}

function emptyMessage({ peers }: PeersView): Html {
  const known = peers.length === 0 ? 'No peer is known' : `${peers.length} known, none chosen to be probed`
  return html`<section class="empty"><h2>No path is measured from here yet</h2>
<p>${known}. Who is known, and why each is probed or not, is at <a id="empty-peers" href="api/v1/peers">api/v1/peers</a>; the configuration names the peers under <code>peers</code>.</p></section>`
}

function pageFooter(input: WebInput, { peers, probedBy }: PeersView): Html {
  const chosen = peers.filter((peer) => peer.chosen).length
  const away = peers.filter((peer) => peer.state !== 'active')
  return html`<footer>
<p>${peers.length} ${peers.length === 1 ? 'peer' : 'peers'} known, ${chosen} probed from here${
    away.length === 0 ? undefined : html`, ${away.length} leaving or suspect`
  }; ${probedBy.length} probed this node in the last minute.</p>
<p>p50 and p99: whole attempts that succeeded, without those that a starved CPU spoiled; ~ where all were spoiled. Kernel RTT: SYN to SYN-ACK, median. Loss: failed or skipped of all due. Cold tax: what a new connection costs above a kept one.</p>
<nav aria-label="More"><a id="more-probe" href="probe/">probe now</a> <a id="more-paths" href="api/v1/paths">paths</a> <a id="more-peers" href="api/v1/peers">peers</a> <a id="more-metrics" href="metrics">metrics</a></nav>
<p class="version">Pathmeter ${input.version}</p>
</footer>`
}
