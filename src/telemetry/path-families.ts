import type { Check } from '../model/check.ts'
import type { PathFamily, Sample } from '../model/family.ts'
import { durationOf, flaggedBy, type Observation } from '../model/observation.ts'

/** A family of path metrics, with which checks it is about and what it shows before and between attempts. */
export interface PathRule {
  readonly family: PathFamily<Observation>
  /** Rotating peers change every hour: their attempts are only counted, apart from those of the kept ones. */
  readonly peers: 'kept' | 'rotating'
  /** Whether the agent's checks of itself are in. */
  readonly loopback: boolean
  /** Left out by `metrics.detail: minimal`. */
  readonly fullDetailOnly: boolean
  /** Added when a check begins. */
  readonly atStart: readonly Sample[]
  /** Added when a slot is skipped. */
  readonly whenSkipped: readonly Sample[]
}

const RESULTS: readonly Sample[] = ['ok', 'failed', 'skipped'].map((result) => ({
  value: 0,
  labels: { result },
}))
const SKIPPED: readonly Sample[] = [{ value: 1, labels: { result: 'skipped' } }]

const KEPT = { peers: 'kept', loopback: true, fullDetailOnly: false, atStart: [], whenSkipped: [] } as const

/** What is shown of every scheduled attempt, whatever its kind. */
export const pathRules: readonly PathRule[] = [
  {
    ...KEPT,
    loopback: false,
    atStart: RESULTS,
    whenSkipped: SKIPPED,
    family: {
      name: 'probes_total',
      help: 'Scheduled attempts by result; skipped means that earlier attempts held all places when the slot came.',
      type: 'counter',
      level: 'edge',
      labels: ['result'],
      read: counted,
    },
  },
  {
    ...KEPT,
    peers: 'rotating',
    loopback: false,
    atStart: RESULTS,
    whenSkipped: SKIPPED,
    family: {
      name: 'zone_probes_total',
      help: 'Scheduled attempts towards rotating peers by result; these peers are in no other series.',
      type: 'counter',
      level: 'zone',
      labels: ['result'],
      read: counted,
    },
  },
  {
    ...KEPT,
    family: {
      name: 'probe_failures_total',
      help: 'Failed attempts by reason; a series appears with its first failure.',
      type: 'counter',
      level: 'edge',
      labels: ['reason'],
      *read({ failure }) {
        if (failure !== undefined) yield { value: 1, labels: { reason: failure.reason } }
      },
    },
  },
  {
    ...KEPT,
    family: {
      name: 'attempt_seconds',
      help: 'Duration of all attempts by result, failed ones and spoilt ones too; a timeout counts with its limit.',
      type: 'sum',
      level: 'zone',
      labels: ['result'],
      *read(attempt) {
        yield { value: durationOf(attempt), labels: { result: resultOf(attempt) } }
      },
    },
  },
  {
    ...KEPT,
    loopback: false,
    fullDetailOnly: true,
    family: {
      name: 'probe_duration_seconds',
      help: 'Duration of successful attempts as an application would see it; flagged samples are left out.',
      type: 'histogram',
      level: 'zone',
      labels: [],
      read: cleanDuration,
    },
  },
  {
    ...KEPT,
    family: {
      name: 'zone_duration_seconds',
      help: 'Duration of successful attempts over the last minute, exact; flagged samples are left out.',
      type: 'window',
      stats: ['p50', 'p99', 'max'],
      level: 'zone',
      labels: [],
      read: cleanDuration,
    },
  },
  {
    ...KEPT,
    loopback: false,
    fullDetailOnly: true,
    family: {
      name: 'phase_seconds',
      help: 'Duration of the parts of successful attempts; flagged samples are left out.',
      type: 'sum',
      level: 'zone',
      labels: ['phase'],
      *read(attempt) {
        if (!isClean(attempt)) return
        for (const [phase, value] of Object.entries(attempt.phases)) yield { value, labels: { phase } }
      },
    },
  },
]

/** The rule for a kind's own family: unlabelled counters begin at 0, and the agent itself gets no histogram. */
export function kindRule(family: PathFamily<Observation>): PathRule {
  return {
    ...KEPT,
    family,
    loopback: family.type !== 'histogram',
    fullDetailOnly: family.type === 'histogram',
    atStart: family.type === 'counter' && family.labels.length === 0 ? [{ value: 0 }] : [],
  }
}

export function appliesTo({ peers, loopback }: PathRule, { target }: Check): boolean {
  return (peers === 'rotating') === target.rotating && (loopback || target.boundary !== 'loopback')
}

function resultOf(attempt: Observation): 'ok' | 'failed' {
  return attempt.failure === undefined ? 'ok' : 'failed'
}

/** Only such a sample says anything of the network's latency. */
function isClean(attempt: Observation): boolean {
  return attempt.failure === undefined && flaggedBy(attempt) === undefined
}

function* counted(attempt: Observation): Iterable<Sample> {
  yield { value: 1, labels: { result: resultOf(attempt) } }
}

function* cleanDuration(attempt: Observation): Iterable<Sample> {
  if (isClean(attempt)) yield { value: durationOf(attempt) }
}
