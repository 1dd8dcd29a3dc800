import Type, { type StaticDecode } from 'typebox'
import { kindOptions } from '../kinds/options.ts'
import type { KindName } from '../model/facts.ts'
import { Duration } from '../model/schema.ts'
import { IpAddress, Listen, Name, Network } from './text-schemas.ts'

/** Ports that a responder listens on unless told otherwise. */
const DEFAULT_PORTS = { http: 9701, tcp: 9703 }

const nodeSchema = Type.Object(
  {
    name: Type.Optional(Name('Name of this node; PATHMETER_NODE goes first. Default: the host name')),
    zone: Type.Optional(Name('Zone of this node; PATHMETER_ZONE goes first. Default: none')),
  },
  { additionalProperties: false, default: {}, description: 'Who this agent is' },
)

const siteSchema = Type.Object(
  {
    name: Name('Name of the site, and the zone of its nodes that have none'),
    cidrs: Type.Array(Network('A network in CIDR notation'), {
      default: [],
      description: 'Networks whose addresses are in the site',
    }),
    nodes: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._*?-]{1,253}$',
        description: 'Names of the nodes in the site: * stands for any characters, ? for one',
        expects: 'a pattern of node names such as onprem-*',
      }),
    ),
    zones: Type.Array(Name('A zone'), {
      default: [],
      description: 'Zones whose nodes are in the site',
    }),
  },
  { additionalProperties: false, description: 'An on-prem site' },
)

const staticPeerSchema = Type.Object(
  {
    node: Name('Name of the node, as its own agent says it'),
    zone: Type.Optional(Name('Zone of the node')),
    address: IpAddress('IP address of its responder'),
    ports: Type.Object(
      {
        http: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'HTTP port' })),
        tcp: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'TCP echo port' })),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        default: DEFAULT_PORTS,
        description: 'Ports of its responder; a protocol that is left out is not probed',
      },
    ),
  },
  { additionalProperties: false, description: 'One peer' },
)

const peersSchema = Type.Object(
  {
    static: Type.Array(staticPeerSchema, {
      minItems: 1,
      description: 'Peers by address',
      expects: 'a list of peers such as [{ node: n2, zone: zone-b, address: 10.0.0.2 }]',
    }),
    perZone: Type.Integer({ minimum: 1, maximum: 20, default: 3, description: 'Peers probed in each zone' }),
    rotating: Type.Integer({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'One more peer in total, another every 10 min: 1 on, 0 off',
    }),
  },
  {
    additionalProperties: false,
    description: 'Whom to probe',
    expects: 'a section that says who the peers are',
  },
)

type KindSchemas = { readonly [K in KindName]: (typeof kindOptions)[K]['schema'] }

const kindSchemas = Object.fromEntries(
  Object.entries(kindOptions).map(([kind, { schema }]) => [kind, schema]),
  // fromEntries forgets which key goes with which schema.
) as KindSchemas

const probesSchema = Type.Object(
  {
    ...kindSchemas,
    rate: Type.Enum(['normal', 'low'], {
      default: 'normal',
      description: 'low halves the rate of every probe',
    }),
  },
  { additionalProperties: false, default: {}, description: 'How often to probe, and how long to wait' },
)

const webSchema = Type.Object(
  { listen: Listen(':9700', 'Where /metrics and the pages are served') },
  { additionalProperties: false, default: {}, description: 'The HTTP interface for Prometheus and people' },
)

const limitsSchema = Type.Object(
  {
    connections: Type.Integer({ minimum: 1, default: 2000, description: 'Connections in all' }),
    perSource: Type.Integer({
      minimum: 1,
      default: 200,
      description: 'Connections of one source: an address and the node that it claims to be',
    }),
    perAddress: Type.Integer({ minimum: 1, default: 1000, description: 'Connections of one address' }),
    hold: Duration({
      default: '2h',
      minimum: '1s',
      maximum: '7d',
      description: 'How long one connection may last',
    }),
    bytesPerSecond: Type.Integer({
      // One full answer at the size that needs no ticket.
      minimum: 65_536,
      default: 8_388_608,
      description: 'Bytes a second of one connection, both directions together',
    }),
  },
  { additionalProperties: false, default: {}, description: 'What the responder refuses' },
)

const respondSchema = Type.Object(
  {
    http: Listen(`:${DEFAULT_PORTS.http}`, 'Where HTTP probes are answered'),
    tcp: Listen(`:${DEFAULT_PORTS.tcp}`, 'Where TCP probes are answered'),
    prefix: Type.String({
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      default: '/pathmeter',
      description: 'Path under which HTTP is answered too, so that a gateway may strip it or not',
      expects: 'a path such as /pathmeter',
    }),
    limits: limitsSchema,
  },
  { additionalProperties: false, default: {}, description: 'The other end of probes' },
)

const logSchema = Type.Object(
  {
    level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'Least severe level that is logged',
    }),
  },
  { additionalProperties: false, default: {}, description: 'The log, on stdout' },
)

const metricsSchema = Type.Object(
  {
    detail: Type.Enum(['full', 'minimal'], {
      default: 'full',
      description: 'minimal halves the number of series',
    }),
  },
  { additionalProperties: false, default: {}, description: 'What /metrics carries' },
)

/**
 * The configuration file, strict. Besides JSON Schema's keywords: `minimumDuration` and `maximumDuration`
 * (model/schema.ts), and `expects`, which completes "must be …" where the other keywords make no sentence.
 */
export const configSchema = Type.Object(
  {
    version: Type.Literal(1, { description: 'Version of this format' }),
    node: nodeSchema,
    sites: Type.Array(siteSchema, {
      default: [],
      description: 'Places outside the cloud; a node is in the first site that matches it',
    }),
    peers: peersSchema,
    probes: probesSchema,
    web: webSchema,
    respond: respondSchema,
    // Two intervals of the fastest kinds fit in many times; the agent still ends within the usual grace period of 30 s.
    drain: Duration({
      default: '15s',
      maximum: '10m',
      description: 'How long a shutdown is announced before listeners close',
    }),
    log: logSchema,
    metrics: metricsSchema,
  },
  { additionalProperties: false, description: 'Configuration of pathmeter' },
)

/** The file as it is decoded, before the environment said who we are. */
type Decoded = StaticDecode<typeof configSchema>

/** Who this agent is. */
export interface NodeIdentity {
  readonly name: string
  readonly zone?: string | undefined
  /** IP literal, from PATHMETER_POD_IP. */
  readonly podIp?: string | undefined
  /** From PATHMETER_NAMESPACE. */
  readonly namespace?: string | undefined
}

/** A valid configuration with all defaults. Durations are seconds, listen addresses are parsed. */
export type Config = Readonly<Omit<Decoded, 'node'>> & { readonly node: NodeIdentity }

export type Site = Config['sites'][number]

export type StaticPeer = Config['peers']['static'][number]
