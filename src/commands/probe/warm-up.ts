import { kinds } from '../../kinds/index.ts'
import type { Io } from '../../kinds/kind.ts'
import { kindOptions } from '../../kinds/options.ts'
import type { KindName } from '../../model/facts.ts'
import { formatHostPort } from '../../model/host-port.ts'
import { startResponder } from '../../respond/responder.ts'
import { VERSION } from '../../version.ts'
import { checkOf, planProbe } from './plan-probe.ts'
import { runAttempts } from './run-attempts.ts'

const HOST = '127.0.0.1'
const COUNT = 20

/**
 * Exchanges a few times with a responder inside this process, so that code that is not loaded and compiled yet does
 * not count as network: without it the first attempt of a fresh process takes several times as long as the next.
 */
export async function warmUp(kind: KindName, io: Io, signal: AbortSignal): Promise<void> {
  await using responder = await startResponder({
    place: { node: io.node, zone: 'unknown' },
    version: VERSION,
    limits: { connections: 10, perAddress: 10, perSource: 10, hold: 60, bytesPerSecond: 2 ** 20 },
    listen: { http: { host: HOST, port: 0 }, tcp: { host: HOST, port: 0 } },
    prefix: '/pathmeter',
    mounts: Object.values(kinds).flatMap(({ mount }) => mount ?? []),
    clock: io.clock,
    starvation: io.starvation,
  })
  const target = formatHostPort(HOST, responder.ports[kindOptions[kind].protocol])
  const plan = planProbe(kind, target, { count: COUNT, interval: 0, limit: 1, responder: true })
  if ('problem' in plan) throw new Error(plan.problem)
  const attempts = runAttempts(checkOf(plan, { address: HOST, family: 4 }), COUNT, io, signal)
  // Their times are of no interest.
  while (!(await attempts.next()).done);
}
