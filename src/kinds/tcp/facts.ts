import type { PathFamily, Sample } from '../../model/family.ts'
import type { Observation } from '../../model/observation.ts'

/** What tcp attempts show besides success and duration: the kernel's round trip, and lost SYNs apart from it. */
export const tcpFamilies: readonly PathFamily<Observation<'tcp'>>[] = [
  {
    name: 'tcp_rtt_seconds',
    help: 'Round trip of the TCP handshake by the kernel clock; samples after a SYN retransmission are left out.',
    type: 'histogram',
    level: 'zone',
    labels: [],
    read: rtt,
  },
  {
    name: 'path_rtt_seconds',
    help: 'Round trip of the TCP handshake by the kernel clock over the last minute, exact.',
    type: 'window',
    stats: ['min', 'p50', 'p99'],
    level: 'edge',
    labels: [],
    read: rtt,
  },
  {
    name: 'syn_retransmits_total',
    help: 'SYNs that had to be sent again before a connection was established: loss, not latency.',
    type: 'counter',
    level: 'edge',
    labels: [],
    *read({ facts }) {
      if (facts.kernel !== undefined) yield { value: facts.kernel.synRetransmits }
    },
  },
]

function* rtt({ facts }: Observation<'tcp'>): Iterable<Sample> {
  if (facts.kernel?.rtt !== undefined) yield { value: facts.kernel.rtt }
}
