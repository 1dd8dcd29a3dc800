import type { AgentFamily } from '../model/family.ts'

/** What the supervisor shows of itself. */
export const schedulerFamilies = {
  due: {
    name: 'due_slots_total',
    help: 'Slots of the schedule that came due: finished, in flight, cancelled or skipped.',
    type: 'counter',
    labels: [],
  },
  skipped: {
    name: 'slots_skipped_total',
    help: 'Slots in which nothing was started: busy, earlier attempts held every place; late, the agent slept through them.',
    type: 'counter',
    labels: ['reason'],
  },
  startDelay: {
    name: 'scheduler_start_delay_seconds',
    help: 'From the moment a slot was due to the start of its attempt, over the last minute, exact.',
    type: 'gauge',
    labels: ['stat'],
  },
  faults: {
    name: 'attempt_faults_total',
    help: 'Attempts that ended in a fault of this program.',
    type: 'counter',
    labels: [],
  },
  openSockets: {
    name: 'open_probe_sockets',
    help: 'Sockets that probes hold open.',
    type: 'gauge',
    labels: [],
  },
} as const satisfies Record<string, AgentFamily>
