import { isIP } from 'node:net'

/** A host and a port, as a person writes them. */
export interface HostPort {
  /** Name or IP literal, without brackets. */
  readonly host: string
  /** 1 to 65535. */
  readonly port: number
}

// What no host name has: blanks and what separates the parts of a URL.
const PATTERN = /^(?:\[([^\]]+)\]|([^\s:/?#@[\]]+)):(\d{1,5})$/

/** Reads `erp-db:5432`, `10.8.0.5:5432` or `[fd00::5]:5432`; undefined for anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, v6, name, digits] = PATTERN.exec(text) ?? []
  const host = v6 ?? name
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535) return undefined
  return v6 !== undefined && isIP(v6) !== 6 ? undefined : { host, port }
}

/** Writes an address and a port with the brackets that IPv6 needs. */
export function formatHostPort(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
