import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import koffi from 'koffi'

// include/uapi/asm-generic/socket.h and include/linux/socket.h
const AF_INET = 2
const SOCK_STREAM = 1
const SOCK_CLOEXEC = 0o2000000
const SOCKADDR_BYTES = 16

const libc = koffi.load(null)
const socket = libc.func('int socket(int domain, int type, int protocol)')
const bind = libc.func('int bind(int fd, const uint8_t *address, uint32_t length)')
const listen = libc.func('int listen(int fd, int backlog)')
const accept = libc.func('int accept(int fd, void *address, void *length)')
const getsockname = libc.func('int getsockname(int fd, _Out_ uint8_t *address, _Inout_ uint32_t *length)')
const getsockopt = libc.func(
  'int getsockopt(int fd, int level, int name, _Out_ int *value, _Inout_ uint32_t *length)',
)
const shutdown = libc.func('int shutdown(int fd, int how)')
const close = libc.func('int close(int fd)')

export interface FullListener extends AsyncDisposable {
  readonly port: number
  /** Takes the one waiting connection out of the queue, so that a SYN finds room. */
  accept(): void
}

/**
 * A listener on loopback whose queue is full: the kernel drops every SYN that arrives. Node cannot make one,
 * because it accepts whatever comes.
 */
export async function startFullListener(): Promise<FullListener> {
  const fd: number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
  const address = Buffer.alloc(SOCKADDR_BYTES)
  address.writeUInt16LE(AF_INET, 0)
  address.set([127, 0, 0, 1], 4)
  if (bind(fd, address, address.length) !== 0 || listen(fd, 0) !== 0) throw new Error('Cannot listen')
  getsockname(fd, address, [address.length])
  const port = address.readUInt16BE(2)
  const filler = connect({ port, host: '127.0.0.1' })
  const filled = Promise.withResolvers<void>()
  filler.once('connect', filled.resolve).once('error', filled.reject)
  await filled.promise
  const accepted: number[] = []
  return {
    port,
    accept() {
      accepted.push(accept(fd, null, null))
    },
    async [Symbol.asyncDispose]() {
      filler.destroy()
      for (const each of [...accepted, fd]) close(each)
      await sleep(0)
    },
  }
}

/** The descriptor of a connected socket. */
export function fdOf(socket: Socket): number {
  return (socket as Socket & { _handle: { fd: number } })._handle.fd
}

/** Sends a FIN now; Node's `end` sends it in the next turn of the loop. */
export function endWrites(fd: number): void {
  const SHUT_WR = 1
  if (shutdown(fd, SHUT_WR) !== 0) throw new Error(`Cannot shut down fd ${fd}`)
}

/** Whether the kernel sends keepalive probes on the socket (SO_KEEPALIVE). */
export function hasKeepAlive(fd: number): boolean {
  const [SOL_SOCKET, SO_KEEPALIVE] = [1, 9]
  const value = [-1]
  if (getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, value, [4]) !== 0) throw new Error(`Cannot read fd ${fd}`)
  return value[0] === 1
}
