import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nearestNames } from '../../model/nearest-names.ts'
import type { ProbeReport } from '../../model/view.ts'
import { prefersJson } from '../accept.ts'
import { WebError } from '../errors.ts'
import { FreshRuns } from '../fresh-runs.ts'
import type { Probeable, ProbeRequest, WebInput } from '../input.ts'
import { probeListText, probeUrl } from '../probe-list.ts'
import { probeReportText } from '../probe-report.ts'
import { readQuery } from '../query.ts'
import { envelopeJson, probeRowJson } from '../view-json.ts'

const LAST_HOUR = 3600

/** `/probe/…`: what can be probed from here, and fresh probes with the last hour beside them. */
export function addProbeRoutes(app: FastifyInstance, input: WebInput, limit: number): void {
  const runs = new FreshRuns<ProbeReport | undefined>(limit)
  app.addHook('preClose', async () => runs.close())

  app.get('/probe', async () => {
    throw new WebError(
      'probe_target_unsupported',
      'Cannot probe a target: /probe as blackbox_exporter answers it comes in a later version; /probe/ lists what can be probed from here',
    )
  })

  app.get('/probe/', async (request, reply) => {
    readQuery(request.query, [])
    const probeable = withChecks(input).sort(byZoneAndPeer)
    reply.header('vary', 'Accept')
    if (!prefersJson(request.headers.accept)) {
      return sendText(reply, probeListText(input.self, probeable))
    }
    return {
      ...envelopeJson(input.self, input.now()),
      probeable: probeable.map((one) => ({
        peer: one.peer,
        zone: one.zone,
        kinds: one.kinds,
        url: probeUrl(one.peer),
      })),
    }
  })

  const probePeer = async (request: FastifyRequest<{ Params: PeerParams }>, reply: FastifyReply) => {
    readQuery(request.query, [])
    const wanted = findProbeable(withChecks(input), request.params)
    const gone = clientGone(reply)
    let report: ProbeReport | undefined
    try {
      report = await runs.run(JSON.stringify([wanted.peer, wanted.kind]), gone, (signal) =>
        input.probe(wanted, signal),
      )
    } catch (error) {
      // Nobody is left to answer, and an aborted run is no fault of the agent.
      if (gone.aborted) return reply.hijack()
      throw error
    }
    if (report === undefined) throw unknownPeer(wanted.peer, [])
    return sendReport(input, report, request, reply)
  }
  app.get<{ Params: PeerParams }>('/probe/peer/:peer', probePeer)
  app.get<{ Params: PeerParams }>('/probe/peer/:peer/:kind', probePeer)
}

/** A known peer that nothing probes from here has no place in the list; /api/v1/peers says why it has no checks. */
function withChecks(input: WebInput): Probeable[] {
  return input.probeable().filter(({ kinds }) => kinds.length > 0)
}

interface PeerParams {
  readonly peer: string
  readonly kind?: string
}

function findProbeable(probeable: readonly Probeable[], { peer, kind }: PeerParams): ProbeRequest {
  const found = probeable.find((one) => one.peer === peer)
  if (found === undefined) {
    const names = probeable.map((one) => one.peer)
    throw unknownPeer(peer, nearestNames(peer, names))
  }
  if (kind === undefined) return { peer }
  const known = found.kinds.find((one) => one === kind)
  if (known === undefined) {
    throw new WebError(
      'unknown_kind',
      `Cannot probe ${JSON.stringify(peer)} by ${JSON.stringify(kind)}: it is probed by ${found.kinds.join(', ')}`,
    )
  }
  return { peer, kind: known }
}

function unknownPeer(peer: string, nearest: readonly string[]): WebError {
  const hint =
    nearest.length === 0
      ? '/probe/ lists the peers probed from here'
      : `did you mean ${nearest.map((name) => JSON.stringify(name)).join(', ')}?`
  return new WebError(
    'unknown_peer',
    `Cannot probe ${JSON.stringify(peer)}: no such peer is probed from here; ${hint}`,
  )
}

/** Aborted when the connection of this answer ends, whether it was answered or not. */
function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

function sendReport(
  input: WebInput,
  report: ProbeReport,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const windows = new Map(input.paths(LAST_HOUR).map(({ check, window }) => [check.id, window]))
  const now = input.now()
  reply.header('vary', 'Accept')
  if (!prefersJson(request.headers.accept)) {
    return sendText(reply, probeReportText(input.self, report, windows, now))
  }
  return reply.send({
    ...envelopeJson(input.self, now),
    peer: report.peer,
    rows: report.rows.map((row) => probeRowJson(row, windows.get(row.check.id))),
  })
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(text)
}

function byZoneAndPeer(a: Probeable, b: Probeable): number {
  return `${a.zone}\0${a.peer}` < `${b.zone}\0${b.peer}` ? -1 : 1
}
