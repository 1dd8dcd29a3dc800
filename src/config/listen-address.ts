import { isIP } from 'node:net'
import { canonicalIp } from './canonical-ip.ts'

/** Where a listener binds. */
export interface ListenAddress {
  /** IP literal; empty for every address of both families, as node:net takes it. */
  readonly host: string
  /** 0 lets the kernel choose. */
  readonly port: number
}

const PATTERN = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/

/** Reads `:9700`, `127.0.0.1:9700` or `[::1]:9700`; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, v6, v4 = '', digits = ''] = PATTERN.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535) return undefined
  if (v6 !== undefined) return isIP(v6) === 6 ? { host: v6, port } : undefined
  return v4 === '' || isIP(v4) === 4 ? { host: v4, port } : undefined
}

export function formatListenAddress({ host, port }: ListenAddress): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** Whether a socket on the one could take what the other would: same port, and hosts that have an address in common. */
export function overlaps(a: ListenAddress, b: ListenAddress): boolean {
  if (a.port === 0 || a.port !== b.port) return false
  const [one, other] = [canonicalIp(a.host), canonicalIp(b.host)]
  return one === other || covers(one, other) || covers(other, one)
}

/** `::` is taken for both families, because node:net binds it so. */
function covers(wide: string, host: string): boolean {
  return wide === '' || wide === '::' || (wide === '0.0.0.0' && isIP(host) !== 6)
}
