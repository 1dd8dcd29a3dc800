import type { FastifyInstance } from 'fastify'
import type { WebInput } from '../input.ts'

/** `/metrics`: the format is chosen by the registry, from Accept. */
export function addMetricsRoute(app: FastifyInstance, input: WebInput): void {
  app.get('/metrics', async (request, reply) => {
    const { contentType, body } = await input.metrics(request.headers.accept)
    return reply.type(contentType).header('vary', 'Accept, Accept-Encoding').send(body)
  })
}
