import type { Seconds } from '../model/duration.ts'
import type { AgentFamily, Collected, Collector, Sample } from '../model/family.ts'
import type { PeerView } from '../model/view.ts'

/** What is shown of the peers. */
export const peerFamilies = {
  peers: {
    name: 'peers',
    help: 'Known peers by the state they are in, by how far away they are and by whether they are probed from here.',
    type: 'gauge',
    labels: ['state', 'boundary', 'chosen'],
  },
  updated: {
    name: 'peers_last_update_timestamp_seconds',
    help: 'When the view of the peers was last confirmed.',
    type: 'gauge',
    labels: [],
  },
  stretch: {
    name: 'interval_stretch_ratio',
    help: 'What every interval is multiplied by so that all peers together stay within the cap on attempts; 1 when they are.',
    type: 'gauge',
    labels: [],
  },
} as const satisfies Record<string, AgentFamily>

/** What is shown of the peers: read anew at each scrape. */
export interface PeerSummary {
  readonly peers: readonly PeerView[]
  /** Seconds since the Unix epoch. */
  readonly updatedAt: Seconds
  readonly stretch: number
}

export function peerCollector(read: () => PeerSummary): Collector {
  return {
    families: Object.values(peerFamilies),
    *collect(): Iterable<Collected> {
      const { peers, updatedAt, stretch } = read()
      yield { family: peerFamilies.peers, samples: countPeers(peers) }
      yield { family: peerFamilies.updated, samples: [{ value: updatedAt }] }
      yield { family: peerFamilies.stretch, samples: [{ value: stretch }] }
    },
  }
}

function countPeers(peers: readonly PeerView[]): Iterable<Sample> {
  const counts = new Map<string, { value: number; labels: Record<string, string> }>()
  for (const { state, boundary, chosen } of peers) {
    const labels = { state, boundary, chosen: String(chosen) }
    const sample = counts.getOrInsertComputed(Object.values(labels).join(), () => ({ value: 0, labels }))
    sample.value += 1
  }
  return counts.values()
}
