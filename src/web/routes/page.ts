import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { WebInput } from '../input.ts'
import { ICON } from '../page/icon.ts'
import { REFRESH_SCRIPT } from '../page/refresh-script.ts'
import { statusPage } from '../page/status-page.ts'
import { STYLE } from '../page/style.ts'
import { readQuery, readWindow } from '../query.ts'

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ASSETS = [
  { url: '/page/style.css', type: 'text/css; charset=utf-8', text: STYLE },
  { url: '/page/refresh.js', type: 'text/javascript; charset=utf-8', text: REFRESH_SCRIPT },
  { url: '/page/icon.svg', type: 'image/svg+xml; charset=utf-8', text: ICON },
]

/** `/`, the status page, and what it loads. */
export function addPageRoutes(app: FastifyInstance, input: WebInput): void {
  app.get('/', async (request, reply) => {
    const query = readQuery(request.query, ['window'])
    const page = statusPage(input, readWindow(query.window))
    return reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY).send(page)
  })
  for (const asset of ASSETS) addAsset(app, asset)
}

/** Kept by the browser and asked for again each time: after an upgrade the page and its style always match. */
function addAsset(app: FastifyInstance, { url, type, text }: (typeof ASSETS)[number]): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  app.get(url, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(type).send(text)
  })
}
