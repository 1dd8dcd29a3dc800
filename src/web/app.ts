import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { refuseConnection, replyError, replyNotFound } from './error-replies.ts'
import { WebError } from './errors.ts'
import { gzipReplies } from './gzip-replies.ts'
import type { WebInput } from './input.ts'
import { DEFAULT_LIMITS, type WebLimits } from './limits.ts'
import { printableJson } from './printable.ts'
import { addApiRoutes } from './routes/api.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addMetricsRoute } from './routes/metrics.ts'
import { addPageRoutes } from './routes/page.ts'
import { addProbeRoutes } from './routes/probe.ts'

export interface WebOptions {
  /** Gets the errors of requests; without one they are silent. Requests themselves are not logged. */
  readonly logger?: FastifyBaseLogger
  readonly limits?: Partial<WebLimits>
}

/** On every answer; the status page sets a policy of its own. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * The HTTP surface of an agent: metrics, fresh probes, API, health and the status page. It does not listen;
 * whoever made it calls `listen` and `close`. Proxies are not trusted: the remote address is the socket's.
 */
export function createWebApp(input: WebInput, options: WebOptions = {}): FastifyInstance {
  const limits: WebLimits = { ...DEFAULT_LIMITS, ...options.limits }
  const app = Fastify({
    ...(options.logger === undefined ? {} : { loggerInstance: options.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    connectionTimeout: limits.connectionTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    // Scrapes and health checks are answered to the end; the connection is closed after each by then.
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.nameLength },
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.checkingIntervalMs,
    },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) => replyError(error, request, reply.headers(HEADERS)),
  })
  app.server.maxConnections = limits.connections
  app.setReplySerializer(printableJson)
  app.setErrorHandler(replyError)
  app.setNotFoundHandler(replyNotFound)
  app.removeAllContentTypeParsers()
  // Accepted up to the limit and ignored: `curl -d ''` sends a content type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
  app.addHook('onSend', gzipReplies)

  const served = collectMethods(app)
  addMetricsRoute(app, input)
  addProbeRoutes(app, input, limits.freshRuns)
  addApiRoutes(app, input)
  addHealthRoutes(app, input)
  addPageRoutes(app, input)
  refuseOtherMethods(app, served)
  return app
}

function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const served = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = served.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    served.set(url, methods)
  })
  return served
}

function refuseOtherMethods(app: FastifyInstance, served: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, methods] of [...served]) {
    const allow = [...methods].sort().join(', ')
    app.route({
      url,
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      // Before a body is read: its size or type says nothing that matters here.
      onRequest: (request) => {
        throw new WebError('method_not_allowed', `Cannot ${request.method} ${url}: allowed are ${allow}`, {
          headers: { allow },
        })
      },
      handler: replyNotFound,
    })
  }
}
