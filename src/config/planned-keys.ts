/** Keys that the design has and this version has not, `[]` for any index of a list. */
const PLANNED: ReadonlySet<string> = new Set([
  'targets',
  'paths',
  'idle',
  'peers.kubernetes',
  'peers.static[].ports.grpc',
  'peers.static[].ports.udp',
  'probes.grpc',
  'probes.sse',
  'probes.udp',
  'probes.dns',
  'web.tls',
  'web.auth',
  'web.probe',
  'respond.grpc',
  'respond.udp',
  'respond.tls',
  'respond.ticketKeyFile',
])

/** Whether the key at this path will be there in a later version. */
export function isPlanned(path: string): boolean {
  return PLANNED.has(path.replaceAll(/\[\d+\]/g, '[]'))
}
