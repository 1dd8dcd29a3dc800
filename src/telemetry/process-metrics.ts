import { readdir } from 'node:fs/promises'
import type { Clock } from '../model/clock.ts'
import type { AgentFamily } from '../model/family.ts'
import { metricName } from './metric-name.ts'
import type { MetricSource } from './metric-source.ts'

type ProcessFamily = AgentFamily & { read(clock: Clock): number | undefined | Promise<number | undefined> }

/**
 * The process metrics that dashboards everywhere expect, under their usual names without a prefix. Ours, because
 * the library's default set costs 0.5 % of a core and does not pass `promtool check metrics`.
 */
export const processFamilies: readonly ProcessFamily[] = [
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent by the process.',
    type: 'counter',
    labels: [],
    read() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    type: 'gauge',
    labels: [],
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_open_fds',
    help: 'Open file descriptors of the process; absent where the system does not tell.',
    type: 'gauge',
    labels: [],
    read: openFds,
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, since the Unix epoch.',
    type: 'gauge',
    labels: [],
    read: (clock) => clock.wall() - process.uptime(),
  },
]

export function processMetrics(clock: Clock): readonly MetricSource[] {
  return processFamilies.map((family) => toMetric(family, clock))
}

function toMetric(family: ProcessFamily, clock: Clock): MetricSource {
  const metric = { name: metricName(family, ''), help: family.help, type: family.type }
  return {
    ...metric,
    async get() {
      const value = await family.read(clock)
      return { ...metric, values: value === undefined ? [] : [{ value, labels: {} }] }
    },
  }
}

async function openFds(): Promise<number | undefined> {
  try {
    // One of them is the directory being read.
    return (await readdir('/proc/self/fd')).length - 1
  } catch {
    return undefined
  }
}
