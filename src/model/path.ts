/** How far apart the two ends are. `loopback` is the agent to itself: its own noise floor, not a path. */
export type Boundary = 'loopback' | 'same_node' | 'same_zone' | 'cross_zone' | 'on_prem' | 'external'

/** What the packets are sent to: a pod, a node's own address, a Service, a configured path, a foreign target. */
export type Via = 'pod' | 'host' | 'service' | 'path' | 'target'

export type IpFamily = 4 | 6

/** Whether the connection is made for each attempt, kept between attempts, or held open as a stream. */
export type ConnectionUse = 'new' | 'reused' | 'held'

/** Who a node is and where it stands. `zone` is `unknown` where nothing told it. */
export interface Place {
  readonly node: string
  /** Zone; the site's name for a node that has a site and no zone. */
  readonly zone: string
  /** On-prem site, by the configuration's `sites`. */
  readonly site?: string | undefined
}

/** The other end of a check, as planned. */
export interface Target {
  /** Who it is: node name of a peer, configured name of a target or path. Stable when the address changes. */
  readonly identity: string
  readonly zone: string
  readonly boundary: Boundary
  readonly via: Via
  /** IP literal; a check never resolves a name on the clock. */
  readonly address: string
  readonly port: number
  readonly family: IpFamily
  /** Node that must answer. Absent where any answer is right (behind a balancer, a foreign target). */
  readonly expectNode?: string | undefined
  /** The hourly changing extra peer: counted by zone, without series or history of its own. */
  readonly rotating: boolean
}
