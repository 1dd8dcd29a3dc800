import { createServer, type Server } from 'node:net'

/**
 * Below the range that Linux takes source ports from (32768 and up, net.ipv4.ip_local_port_range), so that a port
 * stays free between two processes that listen on it, however many connections are made meanwhile.
 */
const [LOWEST, HIGHEST] = [10_240, 32_767]

/** Distinct ports of 127.0.0.1 on which nobody listens, for programs that must be told theirs. */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = []
  const ports: number[] = []
  try {
    let candidate = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    for (let tries = 0; ports.length < count; tries++) {
      if (tries > HIGHEST - LOWEST) throw new Error(`Cannot find ${count} free ports`)
      candidate = candidate < HIGHEST ? candidate + 1 : LOWEST
      const server = await tryListen(candidate)
      if (server === undefined) continue
      servers.push(server)
      ports.push(candidate)
    }
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
  return ports
}

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
