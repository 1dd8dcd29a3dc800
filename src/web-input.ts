import type { ColdTax } from './judge/cold-tax.ts'
import { kinds } from './kinds/index.ts'
import type { Io } from './kinds/kind.ts'
import type { Mesh } from './mesh.ts'
import type { Check } from './model/check.ts'
import type { Place } from './model/path.ts'
import type { PeersView, ProbeReport, ProbeRow } from './model/view.ts'
import type { Responder } from './respond/responder.ts'
import { probeOnce } from './run/probe-once.ts'
import type { Telemetry } from './telemetry/create-telemetry.ts'
import { type History, outcomeOf } from './telemetry/history.ts'
import { VERSION } from './version.ts'
import type { Readiness, ReloadResult, WebInput } from './web/input.ts'

/** The parts of an agent that its web surface shows. */
export interface WebInputParts {
  readonly self: Place
  readonly io: Io
  readonly telemetry: Telemetry
  readonly history: History
  readonly coldTax: ColdTax
  readonly mesh: Mesh
  readonly responder: Responder
  readiness(): Readiness
  reload(): Promise<ReloadResult>
}

/** Gives the web surface what it shows and starts, and nothing else of the agent. */
export function createWebInput(parts: WebInputParts): WebInput {
  const { self, io, telemetry, history, coldTax, mesh, responder, readiness, reload } = parts
  const { clock } = io
  return {
    self,
    version: VERSION,
    readiness,
    reload,
    now: () => clock.wall(),
    metrics: (accept) => telemetry.render(accept),
    paths: (window) => history.paths(clock.now(), window),
    coldTaxes: () => coldTax.coldTaxes(clock.now()),
    peers: (): PeersView => {
      const { peers, updatedAt } = mesh.summary()
      return { self, updatedAt, peers, probedBy: responder.probedBy() }
    },
    probeable: () =>
      mesh.summary().peers.map(({ node, zone }) => ({
        peer: node,
        zone,
        kinds: [...new Set((mesh.checksTo(node) ?? []).map(({ kind }) => kind))],
      })),
    async probe({ peer, kind }, signal) {
      const checks = mesh.checksTo(peer)
      return (
        checks &&
        probePeer(
          peer,
          checks.filter((check) => kind === undefined || check.kind === kind),
          io,
          signal,
        )
      )
    },
  }
}

async function probePeer(
  peer: string,
  checks: readonly Check[],
  io: Io,
  signal: AbortSignal,
): Promise<ProbeReport> {
  const rows = await Promise.all(checks.map((check) => probeRow(check, io, signal)))
  return { peer, rows }
}

async function probeRow(check: Check, io: Io, signal: AbortSignal): Promise<ProbeRow> {
  const seen = await probeOnce(kinds[check.kind], check, io, signal)
  if (seen === undefined) throw signal.reason
  const { farEnd } = seen.facts
  const outcome = outcomeOf(seen, io.clock.wall() - (io.clock.now() - seen.at))
  if (farEnd === undefined) return { check, outcome }
  const { node, zone, version, residence } = farEnd
  return {
    check,
    outcome,
    residence,
    answeredBy: { node, ...(zone && { zone }), ...(version && { version }) },
  }
}
