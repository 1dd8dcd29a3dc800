import { hostname } from 'node:os'
import { formatProblems } from '../../config/format-problems.ts'
import { formatListenAddress } from '../../config/listen-address.ts'
import { ownPlace, siteRules } from '../../discovery/topology.ts'
import { kinds } from '../../kinds/index.ts'
import { systemClock } from '../../net/clock.ts'
import { Starvation } from '../../net/starvation.ts'
import { startResponder } from '../../respond/responder.ts'
import { VERSION } from '../../version.ts'
import { createLog } from '../log.ts'
import { serveUntilStopped } from '../serve-until-stopped.ts'
import {
  configFromFlags,
  loadRespondConfig,
  type RespondConfig,
  type RespondFlags,
} from './respond-config.ts'

/**
 * Answers probes until a signal ends it.
 *
 * @returns the exit code: 0 after a clean end, 1 when it could not start, 2 for bad usage or configuration
 */
export async function runRespond(flags: RespondFlags): Promise<number> {
  const environment = { variables: process.env, hostname: hostname() }
  const loaded =
    flags.config === undefined
      ? configFromFlags(flags, environment)
      : await loadRespondConfig(flags.config, environment)
  if ('problems' in loaded) {
    process.stderr.write(`${formatProblems(flags.config ?? 'The command line', loaded.problems)}\n`)
    return 2
  }
  return await respond(loaded.config)
}

async function respond(config: RespondConfig): Promise<number> {
  const log = createLog(config.log.level)
  const place = ownPlace(config.node, siteRules(config.sites))
  using starvation = new Starvation(systemClock)
  try {
    await using responder = await startResponder({
      place,
      version: VERSION,
      limits: config.respond.limits,
      listen: config.respond,
      prefix: config.respond.prefix,
      mounts: Object.values(kinds).flatMap(({ mount }) => mount ?? []),
      clock: systemClock,
      starvation,
    })
    const { http, tcp } = responder.ports
    const listening = {
      http: formatListenAddress({ ...config.respond.http, port: http }),
      tcp: formatListenAddress({ ...config.respond.tcp, port: tcp }),
    }
    log.info({ node: place.node, zone: place.zone, ...listening }, 'answering')
    await serveUntilStopped(responder, config.drain, log)
  } catch (error) {
    log.fatal(`cannot run: ${(error as Error).message}`)
    return 1
  }
  log.info('stopped')
  return 0
}
