import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebError } from '../errors.ts'
import type { WebInput } from '../input.ts'
import { printable } from '../printable.ts'
import { envelopeJson } from '../view-json.ts'

/** How the kernel writes the addresses of this machine itself, to an IPv6 listener too. */
const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/

/** `/-/…`: health, readiness, and the reload that only this machine may ask for. */
export function addHealthRoutes(app: FastifyInstance, input: WebInput): void {
  app.get('/-/healthy', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('healthy\n'))

  app.get('/-/ready', async (_request, reply) => {
    const { ready, why } = input.readiness()
    if (!ready) throw new WebError('not_ready', `Not ready: ${why}`)
    return reply.type('text/plain; charset=utf-8').send(`ready: ${printable(why)}\n`)
  })

  app.post('/-/reload', { onRequest: requireLocal }, async () => {
    const result = await input.reload()
    if (!result.ok) {
      const count = result.problems.length
      throw new WebError(
        'configuration_refused',
        `Cannot reload: the file has ${count} ${count === 1 ? 'problem' : 'problems'}; the configuration in force stays`,
        { problems: result.problems },
      )
    }
    return {
      ...envelopeJson(input.self, input.now()),
      applied: result.applied,
      needs_restart: result.needsRestart,
    }
  })
}

/** Headers can refuse here and never permit: a page in a browser on this machine also comes from loopback. */
async function requireLocal(request: FastifyRequest): Promise<void> {
  const address = request.socket.remoteAddress ?? 'an unknown address'
  if (!LOOPBACK.test(address)) {
    throw new WebError(
      'not_local',
      `Cannot reload for ${address}: only this machine may ask; SIGHUP does the same`,
    )
  }
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new WebError('not_local', 'Cannot reload for a page of another site')
  }
}
