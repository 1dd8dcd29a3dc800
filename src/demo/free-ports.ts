import { type AddressInfo, createServer, type Server } from 'node:net'

/**
 * Ports that were free a moment ago: all are bound at once, so that they differ, and then let go. Another process may
 * take one before its owner does.
 */
export async function freePorts(host: string, count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(host)))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(close))
  return ports
}

function listen(host: string): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  const server = createServer()
  server.once('error', reject).listen(0, host, () => resolve(server))
  return promise
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
