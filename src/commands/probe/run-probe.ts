import type { KindName } from '../../model/facts.ts'
import type { PeerAddress } from '../../model/peer.ts'
import { paintFor } from '../paint.ts'
import { exitCodeOf, type ProbeAttempt, summarize } from './attempts.ts'
import { openIo } from './open-io.ts'
import { checkOf, type ProbeFlags, type ProbePlan, planProbe } from './plan-probe.ts'
import { probeJson } from './probe-json.ts'
import { createProbeRows } from './probe-rows.ts'
import { headlines, summaryText } from './probe-text.ts'
import { resolveTarget } from './resolve-target.ts'
import { runAttempts } from './run-attempts.ts'
import { warmUp } from './warm-up.ts'

/**
 * Probes a target some times and prints what was seen: a row for each attempt as it comes, or one JSON document at
 * the end.
 *
 * @returns the exit code: 0 when every attempt was fine, 1 when one failed or none was made, 2 for bad usage
 */
export async function runProbe(kind: KindName, target: string, flags: ProbeFlags): Promise<number> {
  const plan = planProbe(kind, target, flags)
  if ('problem' in plan) {
    process.stderr.write(`${plan.problem}\n`)
    return 2
  }
  const family = flags.family === undefined ? undefined : flags.family === '6' ? 6 : 4
  const resolved = await resolveTarget(plan.parsed.host, family)
  if ('problem' in resolved) {
    process.stderr.write(`${resolved.problem}\n`)
    if (flags.json) {
      printJson(
        probeJson({
          plan,
          addresses: [],
          problem: resolved.problem,
          attempts: [],
          summary: summarize([], false),
        }),
      )
    }
    return 1
  }
  return await measure(plan, resolved.addresses, flags.json === true)
}

async function measure(
  plan: ProbePlan,
  addresses: readonly [PeerAddress, ...PeerAddress[]],
  json: boolean,
): Promise<number> {
  using opened = await openIo()
  if (opened.withoutKernelClock !== undefined) {
    process.stderr.write(`Round trips are not measured. ${opened.withoutKernelClock}\n`)
  }
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)

  await warmUp(plan.kind, opened.io, stop.signal)
  const kept = plan.connection === 'reused'
  const printed = json ? undefined : startTable(plan, addresses, kept)
  const attempts: ProbeAttempt[] = []
  for await (const attempt of runAttempts(checkOf(plan, addresses[0]), plan.count, opened.io, stop.signal)) {
    attempts.push(attempt)
    printed?.(attempt)
  }
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal)

  const summary = summarize(attempts, kept)
  if (json) printJson(probeJson({ plan, addresses, attempts, summary }))
  else {
    const paint = paintFor(process.stdout)
    process.stdout.write(`\n${paint(summary.failed > 0 ? 'red' : 'bold', summaryText(summary))}\n`)
  }
  return exitCodeOf(summary)
}

/** Prints what goes before the first row. @returns what prints a row */
function startTable(
  plan: ProbePlan,
  addresses: readonly [PeerAddress, ...PeerAddress[]],
  kept: boolean,
): (attempt: ProbeAttempt) => void {
  const { stdout } = process
  const rows = createProbeRows({
    phases: plan.parsed.phases,
    responder: plan.responder,
    kept,
    width: stdout.isTTY ? stdout.columns : undefined,
    paint: paintFor(stdout),
  })
  stdout.write(`${[...headlines(plan, addresses), '', rows.titles].join('\n')}\n`)
  return (attempt) => stdout.write(`${rows.lines(attempt).join('\n')}\n`)
}

function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
