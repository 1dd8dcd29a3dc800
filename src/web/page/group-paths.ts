import type { Seconds } from '../../model/duration.ts'
import type { Place } from '../../model/path.ts'
import type { ColdTaxView, PathView } from '../../model/view.ts'
import { isStale } from '../staleness.ts'

/** What the page says of a path: its state, unless that is too old to be true. */
export type Condition = 'failing' | 'stale' | 'unmeasured' | 'ok'

export interface PathRow {
  readonly path: PathView
  readonly condition: Condition
}

export interface PeerGroup {
  readonly peer: string
  readonly boundary: string
  readonly rows: readonly PathRow[]
}

export interface ZoneGroup {
  readonly zone: string
  readonly own: boolean
  readonly peers: readonly PeerGroup[]
  readonly counts: Readonly<Record<Condition, number>>
  readonly coldTaxes: readonly ColdTaxView[]
}

const WORST_FIRST: readonly Condition[] = ['failing', 'stale', 'unmeasured', 'ok']

/** Paths by destination zone and peer; on every level the worst come first, then by name. */
export function groupPaths(
  paths: readonly PathView[],
  coldTaxes: readonly ColdTaxView[],
  self: Place,
  now: Seconds,
): readonly ZoneGroup[] {
  const rows = paths.map((path): PathRow => ({ path, condition: conditionOf(path, now) }))
  const zones = [...Map.groupBy(rows, ({ path }) => path.check.target.zone)].map(
    ([zone, inZone]): ZoneGroup => ({
      zone,
      own: zone === self.zone,
      peers: groupPeers(inZone),
      counts: countConditions(inZone),
      coldTaxes: coldTaxes.filter((tax) => tax.zone === zone).sort((a, b) => compare(a.probe, b.probe)),
    }),
  )
  return zones.sort(
    (a, b) =>
      worst(a.peers.flatMap((peer) => peer.rows)) - worst(b.peers.flatMap((peer) => peer.rows)) ||
      compare(a.zone, b.zone),
  )
}

export function countConditions(rows: readonly PathRow[]): Readonly<Record<Condition, number>> {
  const counts = { failing: 0, stale: 0, unmeasured: 0, ok: 0 }
  for (const { condition } of rows) counts[condition]++
  return counts
}

function groupPeers(rows: readonly PathRow[]): readonly PeerGroup[] {
  const peers = [...Map.groupBy(rows, ({ path }) => path.check.target.identity)].map(
    ([peer, ofPeer]): PeerGroup => ({
      peer,
      boundary: ofPeer[0]?.path.check.target.boundary ?? '',
      rows: ofPeer.sort((a, b) => rank(a) - rank(b) || compare(nameOf(a), nameOf(b))),
    }),
  )
  return peers.sort((a, b) => worst(a.rows) - worst(b.rows) || compare(a.peer, b.peer))
}

function conditionOf(path: PathView, now: Seconds): Condition {
  return isStale(path, now) ? 'stale' : path.state
}

function worst(rows: readonly PathRow[]): number {
  return Math.min(...rows.map(rank))
}

function rank({ condition }: PathRow): number {
  return WORST_FIRST.indexOf(condition)
}

function nameOf({ path: { check } }: PathRow): string {
  return [check.kind, check.connection, check.target.family, check.target.via, check.id].join('\0')
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
