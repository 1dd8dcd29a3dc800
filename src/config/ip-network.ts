import { isIP } from 'node:net'

/** Addresses in CIDR notation. */
export interface IpNetwork {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** Reads `10.8.0.0/16` or `fd00::/8`; undefined for anything else. Host bits may be set and mean nothing. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const version = isIP(address)
  const prefix = Number(digits)
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

export function formatIpNetwork({ address, prefix }: IpNetwork): string {
  return `${address}/${prefix}`
}
