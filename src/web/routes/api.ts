import type { FastifyInstance } from 'fastify'
import type { PathView } from '../../model/view.ts'
import type { WebInput } from '../input.ts'
import { readQuery, readWindow } from '../query.ts'
import { envelopeJson, pathJson, peersJson } from '../view-json.ts'

/** `/api/v1/…`: what the agent knows, for programs. */
export function addApiRoutes(app: FastifyInstance, input: WebInput): void {
  app.get('/api/v1/paths', async (request) => {
    const query = readQuery(request.query, ['dst', 'dst_zone', 'probe', 'window'])
    const window = readWindow(query.window)
    const now = input.now()
    const paths = input.paths(window).filter(({ check }) => {
      const { target } = check
      return (
        (query.dst ?? target.identity) === target.identity &&
        (query.dst_zone ?? target.zone) === target.zone &&
        (query.probe ?? check.kind) === check.kind
      )
    })
    return {
      ...envelopeJson(input.self, now),
      window_seconds: window,
      paths: [...paths].sort(byPlaceAndKind).map((path) => pathJson(path, input.self, now)),
    }
  })

  app.get('/api/v1/peers', async (request) => {
    readQuery(request.query, [])
    return { ...envelopeJson(input.self, input.now()), ...peersJson(input.peers()) }
  })
}

function byPlaceAndKind(a: PathView, b: PathView): number {
  return sortKey(a) < sortKey(b) ? -1 : 1
}

function sortKey({ check }: PathView): string {
  const { target } = check
  return [target.zone, target.identity, check.kind, check.connection, target.family, check.id].join('\0')
}
