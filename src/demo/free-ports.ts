import { createServer, type Server } from 'node:net'

/**
 * Below the range that Linux takes source ports from (32768 and up, net.ipv4.ip_local_port_range), so that no probe
 * takes a port before its owner listens on it.
 */
const LOWEST = 10_240
const HIGHEST = 32_767

/**
 * Ports on which nobody listened a moment ago: all are bound at once, so that they differ, and then let go.
 *
 * @throws when there are too few
 */
export async function freePorts(host: string, count: number): Promise<readonly number[]> {
  const first = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  const servers = new Map<number, Server>()
  for (let i = 0; servers.size < count; i++) {
    if (i > HIGHEST - LOWEST) throw new Error(`Cannot find ${count} free ports from ${LOWEST} to ${HIGHEST}`)
    const port = LOWEST + ((first - LOWEST + i) % (HIGHEST - LOWEST + 1))
    const server = await listen(host, port)
    if (server !== undefined) servers.set(port, server)
  }
  await Promise.all(servers.values().map(close))
  return [...servers.keys()]
}

function listen(host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined)).listen(port, host, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
