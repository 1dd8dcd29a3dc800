import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import type { Environment } from './config/identity.ts'
import { watchConfig } from './config/reload.ts'
import type { Config } from './config/schema.ts'
import { Lifecycle } from './discovery/lifecycle.ts'
import { peerCollector } from './discovery/peer-collector.ts'
import { ColdTax } from './judge/cold-tax.ts'
import { kinds } from './kinds/index.ts'
import type { Io } from './kinds/kind.ts'
import { Mesh } from './mesh.ts'
import { systemClock as clock } from './net/clock.ts'
import { createDialer } from './net/dial.ts'
import { loadSocketOptions } from './net/socket-options.ts'
import { Starvation } from './net/starvation.ts'
import { startResponder } from './respond/responder.ts'
import { noiseCollector } from './run/noise.ts'
import { Supervisor } from './run/supervisor.ts'
import { selfPlace, staticRateProblems } from './static-plan.ts'
import { createTelemetry } from './telemetry/create-telemetry.ts'
import { fanOut } from './telemetry/fan-out.ts'
import { History } from './telemetry/history.ts'
import { VERSION } from './version.ts'
import { createWebApp } from './web/app.ts'
import { createWebInput } from './web-input.ts'

export interface AgentOptions {
  readonly config: Config
  /** Where it came from, to be read again on reload. */
  readonly file: string
  readonly environment: Environment
  readonly log: Logger
}

/** A running agent. Disposing it stops the probes, then closes everything. */
export interface Agent extends AsyncDisposable {
  /** Where its web surface listens. */
  readonly url: string
  reload(): Promise<void>
  /** From now on it is not ready, and says to whoever probes it that it is about to go. */
  drain(): void
}

/**
 * Starts everything an agent is: responder, schedule, metrics, web surface, and the watch on its configuration.
 *
 * @throws the first thing that could not start, such as a listener whose port is taken; nothing is left running then
 */
export async function startAgent({ config, file, environment, log }: AgentOptions): Promise<Agent> {
  await using starting = new AsyncDisposableStack()
  const self = selfPlace(config)
  const starvation = starting.use(new Starvation(clock))
  const socketOptions = await loadSocketOptions()
  if (socketOptions.clock === 'user')
    log.warn({ why: socketOptions.why }, 'no kernel clock: round trips are not measured')

  const responder = starting.use(
    await startResponder({
      place: self,
      version: VERSION,
      limits: config.respond.limits,
      listen: config.respond,
      prefix: config.respond.prefix,
      mounts: Object.values(kinds).flatMap(({ mount }) => mount ?? []),
      clock,
      starvation,
    }),
  )

  const lifecycle = new Lifecycle(clock)
  const history = new History({ clock })
  const coldTax = new ColdTax()
  const telemetry = createTelemetry({
    kinds: Object.fromEntries(Object.entries(kinds).map(([name, { families }]) => [name, families])),
    clock,
    self,
    version: VERSION,
    detail: config.metrics.detail,
  })
  const io: Io = { clock, starvation, dialer: createDialer(clock, socketOptions), node: self.node }
  const supervisor = starting.use(
    new Supervisor({
      kinds,
      io,
      sink: lifecycle.before(fanOut(telemetry.sink, history, coldTax)),
      onFault: (error, check) =>
        log.error({ err: error, check: check.id, kind: check.kind }, 'attempt ended in a fault'),
    }),
  )
  const mesh = starting.use(
    new Mesh(config, {
      self,
      supervisor,
      lifecycle,
      clock,
      loopback: { host: config.respond.tcp.host, ports: responder.ports },
      onStretch: (factor) => log.warn({ factor }, 'too many attempts a second: all intervals are stretched'),
      onUnknownZone: (nodes) => log.warn({ nodes }, 'nothing tells the zone of these nodes'),
      onFault: (error) => log.error({ err: error }, 'cannot plan the checks anew'),
    }),
  )
  const watch = starting.use(
    watchConfig({
      file,
      environment,
      initial: config,
      clock,
      check: staticRateProblems,
      async onChange(next, { applied, needsRestart }) {
        log.info({ applied }, 'configuration changed')
        if (needsRestart.length > 0) log.warn({ needsRestart }, 'these keys wait for a restart')
        log.level = next.log.level
        if (!isDeepStrictEqual(selfPlace(next), self)) {
          log.warn({ sites: next.sites }, 'this agent itself changes its place only by a restart')
        }
        await mesh.apply(next)
      },
      onProblems: (problems) => log.error({ file, problems }, 'the last good configuration stays in force'),
    }),
  )
  for (const collector of [
    supervisor,
    responder,
    coldTax,
    watch,
    noiseCollector(starvation, socketOptions),
    peerCollector(() => mesh.summary()),
  ]) {
    telemetry.addCollector(collector)
  }
  await mesh.apply(config)

  let draining = false
  const web = createWebApp(
    createWebInput({
      self,
      io,
      telemetry,
      history,
      coldTax,
      mesh,
      responder,
      reload: () => watch.reload(),
      readiness: () => (draining ? { ready: false, why: 'draining' } : { ready: true, why: 'probing' }),
    }),
    { logger: log as FastifyBaseLogger },
  )
  starting.defer(() => web.close())
  // A copy: fastify writes into what it is given.
  await web.listen({ ...config.web.listen })

  const running = starting.move()
  return {
    url: urlOf(web.server.address() as AddressInfo),
    async reload() {
      await watch.reload()
    },
    drain() {
      draining = true
      responder.drain()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function urlOf({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
