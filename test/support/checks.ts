import type { HttpCheckOptions } from '../../src/kinds/http/options.ts'
import type { TcpCheckOptions } from '../../src/kinds/tcp/options.ts'
import type { Check, CheckId } from '../../src/model/check.ts'
import type { ConnectionUse, Target } from '../../src/model/path.ts'

/** Node that the peers of tests are expected to be. */
export const PEER_NODE = 'peer-1'

export type TargetChanges = Partial<Pick<Target, 'address' | 'family' | 'expectNode'>>

export function tcpCheck(
  port: number,
  options: TcpCheckOptions = { echo: true },
  changes?: TargetChanges,
): Check<TcpCheckOptions> {
  return { ...checkOf('new', port, changes), kind: 'tcp', options }
}

export function httpCheck(
  port: number,
  options: Partial<HttpCheckOptions> = {},
  connection: ConnectionUse = 'new',
  changes?: TargetChanges,
): Check<HttpCheckOptions> {
  const defaults: HttpCheckOptions = { path: '/v1/echo?size=512', responder: { bytes: 512 } }
  return { ...checkOf(connection, port, changes), kind: 'http', options: { ...defaults, ...options } }
}

function checkOf(
  connection: ConnectionUse,
  port: number,
  changes: TargetChanges = {},
): Omit<Check, 'kind' | 'options'> {
  return {
    id: `check-${port}` as CheckId,
    target: {
      identity: PEER_NODE,
      zone: 'zone-b',
      boundary: 'cross_zone',
      via: 'pod',
      address: '127.0.0.1',
      port,
      family: 4,
      expectNode: PEER_NODE,
      rotating: false,
      ...changes,
    },
    connection,
    every: 1,
    limit: 5,
    overlap: 1,
  }
}
