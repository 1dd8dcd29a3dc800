import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

/** One row of the table in docs/architecture.md: files, and what they may import besides each other. */
interface Layer {
  /** Which files of `src/` are in the layer. Every file is in exactly one. */
  readonly files: string
  readonly may: readonly LayerName[] | 'everything'
  /** Layers of which it may import types only. */
  readonly mayTypes?: readonly LayerName[]
  /** Packages it may import. */
  readonly packages?: readonly string[]
  /** Neither sockets nor files nor timers nor processes. */
  readonly pure?: true
}

type LayerName =
  | 'composition'
  | 'web'
  | 'blackbox'
  | 'respond'
  | 'telemetry'
  | 'judge'
  | 'run'
  | 'discovery'
  | 'plan'
  | 'config'
  | 'kind table'
  | 'kind'
  | 'kind contract'
  | 'kind options'
  | 'clients'
  | 'net'
  | 'wire'
  | 'model'

const layers: Record<LayerName, Layer> = {
  composition: {
    files: '^src/([^/]+\\.ts$|commands/|demo/)',
    may: 'everything',
    packages: ['commander', 'fastify', 'pino', 'typebox'],
  },
  web: { files: '^src/web/', may: ['model', 'blackbox'], packages: ['fastify'] },
  blackbox: { files: '^src/blackbox/', may: ['model', 'wire', 'net', 'clients'] },
  respond: {
    files: '^src/respond/',
    may: ['model', 'wire', 'net', 'kind table', 'kind contract', 'kind options'],
  },
  telemetry: { files: '^src/telemetry/', may: ['model'], packages: ['prom-client'] },
  judge: { files: '^src/judge/', may: ['model'], pure: true },
  run: { files: '^src/run/', may: ['model', 'net', 'plan', 'kind table', 'kind contract', 'kind options'] },
  discovery: { files: '^src/discovery/', may: ['model', 'net'], mayTypes: ['config'] },
  plan: { files: '^src/plan/', may: ['model', 'kind options'], mayTypes: ['config'], pure: true },
  config: { files: '^src/config/', may: ['model', 'kind options'], packages: ['typebox', 'yaml'] },
  'kind table': { files: '^src/kinds/index\\.ts$', may: ['model', 'kind', 'kind contract', 'kind options'] },
  kind: {
    files: '^src/kinds/([^/]+)/(?!options\\.ts$)',
    may: ['model', 'wire', 'net', 'clients', 'kind contract', 'kind options'],
  },
  'kind contract': {
    files: '^src/kinds/(?!(?:index|options|define-options)\\.ts$)[^/]+\\.ts$',
    may: ['model', 'wire', 'net', 'clients', 'kind options'],
  },
  'kind options': {
    files: '^src/kinds/((?:define-)?options\\.ts$|[^/]+/options\\.ts$)',
    may: ['model'],
    packages: ['typebox'],
    pure: true,
  },
  clients: { files: '^src/clients/', may: ['model', 'wire', 'net'] },
  net: { files: '^src/net/', may: ['model', 'wire'], packages: ['koffi'] },
  wire: { files: '^src/wire/', may: ['model'], pure: true },
  model: { files: '^src/model/', may: [], packages: ['typebox'], pure: true },
}

/**
 * Modules of Node through which a program does something, as opposed to computing something. Not `net`, because pure code
 * asks its `isIP`.
 */
const effectful =
  '^(child_process|cluster|dgram|dns|fs|http|http2|https|inspector|perf_hooks|readline|tls|timers|worker_threads)($|/)'

/** Rules for dependency-cruiser, named after the layer whose row they state. */
export function layerRules(): IRegularForbiddenRuleType[] {
  return [...names().flatMap(rulesOf), ...generalRules]
}

/** The layer of a file under `src/`, or undefined for one that the table does not know. */
export function layerOf(file: string): LayerName | undefined {
  return names().find((name) => new RegExp(layers[name].files).test(file))
}

function names(): LayerName[] {
  // The record's type lists its keys exactly, which Object.keys cannot say.
  return Object.keys(layers) as LayerName[]
}

function rulesOf(name: LayerName): IRegularForbiddenRuleType[] {
  const { files, may, mayTypes = [], packages = [], pure } = layers[name]
  const rules: IRegularForbiddenRuleType[] = [
    forbid(`${name}: packages`, files, {
      path: '(^|/)node_modules/',
      ...(packages.length > 0 && { pathNot: `(^|/)node_modules/(${packages.join('|')})/` }),
    }),
  ]
  if (may !== 'everything') {
    const allowed = [name, ...may].map((other) => layers[other].files)
    const types = [...allowed, ...mayTypes.map((other) => layers[other].files)]
    rules.push(
      forbid(`${name}: layers`, files, { path: '^src/', pathNot: types }),
      forbid(`${name}: layers`, files, {
        path: '^src/',
        pathNot: allowed,
        dependencyTypesNot: ['type-only'],
      }),
    )
  }
  if (pure) rules.push(forbid(`${name}: pure`, files, { path: effectful, dependencyTypes: ['core'] }))
  return rules
}

const generalRules: IRegularForbiddenRuleType[] = [
  // Kinds share what is beside them in src/kinds, never each other.
  forbid('kind: other kind', '^src/kinds/([^/]+)/', { path: '^src/kinds/[^/]+/', pathNot: '^src/kinds/$1/' }),
  forbid('no cycle', '^src/', { circular: true }),
  forbid('src alone', '^src/', { path: '^(test|bench|scripts|dist)/' }),
  forbid('no unresolved import', '^(src|scripts|bench|test)/', { couldNotResolve: true }),
]

function forbid(name: string, from: string, to: IRegularForbiddenRuleType['to']): IRegularForbiddenRuleType {
  return { name, severity: 'error', from: { path: from }, to }
}
