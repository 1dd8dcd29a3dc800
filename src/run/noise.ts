import type { AgentFamily, Collected, Collector } from '../model/family.ts'
import type { SocketOptions } from '../net/socket-options.ts'
import type { Starvation } from '../net/starvation.ts'

const FAMILIES = {
  runQueueWait: {
    name: 'run_queue_wait_seconds_total',
    help: 'How long the main thread has waited for a CPU.',
    type: 'counter',
    labels: [],
  },
  loopLag: {
    name: 'event_loop_lag_seconds_total',
    help: 'How late the event loop has been, all in all; a stopped process counts.',
    type: 'counter',
    labels: [],
  },
  clock: {
    name: 'clock',
    help: 'Which clock round trips are taken from: kernel, or user without the native library.',
    type: 'gauge',
    labels: ['source'],
  },
} as const satisfies Record<string, AgentFamily>

/** Shows the agent's own noise beside what it measures. */
export function noiseCollector(starvation: Starvation, socketOptions: SocketOptions): Collector {
  return {
    families: Object.values(FAMILIES),
    *collect(): Iterable<Collected> {
      if (starvation.seesRunQueue) {
        yield { family: FAMILIES.runQueueWait, samples: [{ value: starvation.runQueueWait() }] }
      }
      yield { family: FAMILIES.loopLag, samples: [{ value: starvation.mark().lag }] }
      yield { family: FAMILIES.clock, samples: [{ value: 1, labels: { source: socketOptions.clock } }] }
    },
  }
}
