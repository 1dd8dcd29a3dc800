import { hostname } from 'node:os'
import { startAgent } from '../agent.ts'
import { formatProblems } from '../config/format-problems.ts'
import { loadCheckedConfig } from './load-checked-config.ts'
import { createLog } from './log.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'

/**
 * Runs an agent until a signal ends it. SIGHUP reloads its configuration.
 *
 * @returns the exit code: 0 after a clean end, 1 when it could not start, 2 for a configuration that cannot be used
 */
export async function runAgent({ config: file }: { readonly config: string }): Promise<number> {
  const environment = { variables: process.env, hostname: hostname() }
  const loaded = await loadCheckedConfig(file, environment)
  if ('problems' in loaded) {
    process.stderr.write(`${formatProblems(file, loaded.problems)}\n`)
    return 2
  }
  const { config } = loaded
  const log = createLog(config.log.level)
  try {
    await using agent = await startAgent({ config, file, environment, log })
    log.info({ node: config.node.name, zone: config.node.zone, web: agent.url }, 'started')
    process.on('SIGHUP', () => void agent.reload())
    await serveUntilStopped(agent, config.drain, log)
  } catch (error) {
    log.fatal(`cannot run: ${(error as Error).message}`)
    return 1
  }
  log.info('stopped')
  return 0
}
