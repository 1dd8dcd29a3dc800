import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const ATTEMPTS = 200
/** As slow as an agent's: caches are cold by the next one. */
const EVERY_MS = 50

/**
 * What the barest TCP attempt costs here, both ends together: connect, 56 bytes there and back, reset, on `node:net`
 * and nothing else. Machines differ by several times, and so does one shared machine from hour to hour: CPU figures of the
 * same run are to be read beside this one.
 *
 * @returns microseconds of CPU per attempt
 */
export async function measureYardstick(): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', (chunk) => socket.write(chunk)).on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const before = process.cpuUsage()
  for (let i = 0; i < ATTEMPTS; i++) {
    await Promise.all([exchange(port), new Promise((resolve) => setTimeout(resolve, EVERY_MS))])
  }
  const { user, system } = process.cpuUsage(before)
  server.close()
  return (user + system) / ATTEMPTS
}

function exchange(port: number): Promise<unknown> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
    socket.write(Buffer.alloc(56)),
  )
  socket.once('data', () => socket.resetAndDestroy())
  return new Promise((resolve) => socket.once('close', resolve))
}
