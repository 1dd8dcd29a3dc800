import type { AgentFamily, Collected, Collector } from '../model/family.ts'
import type { SocketOptions } from '../net/socket-options.ts'
import type { Starvation } from '../net/starvation.ts'

/** What the agent shows of its own noise. */
export const noiseFamilies = {
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
    families: Object.values(noiseFamilies),
    *collect(): Iterable<Collected> {
      if (starvation.seesRunQueue) {
        yield { family: noiseFamilies.runQueueWait, samples: [{ value: starvation.runQueueWait() }] }
      }
      yield { family: noiseFamilies.loopLag, samples: [{ value: starvation.lag }] }
      yield { family: noiseFamilies.clock, samples: [{ value: 1, labels: { source: socketOptions.clock } }] }
    },
  }
}
