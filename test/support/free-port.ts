import { createServer } from 'node:net'

/**
 * Below the range that Linux takes source ports from (32768 and up, net.ipv4.ip_local_port_range), so that a port
 * stays free between two processes that listen on it, however many connections are made meanwhile.
 */
const [LOWEST, HIGHEST] = [10_240, 32_767]

let candidate = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))

/** A port of 127.0.0.1 on which nobody listens, another each time, for programs that must be told theirs. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < HIGHEST - LOWEST; tries++) {
    candidate = candidate < HIGHEST ? candidate + 1 : LOWEST
    const port = candidate
    if (await isFree(port)) return port
  }
  throw new Error(`Cannot find a free port from ${LOWEST} to ${HIGHEST}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
