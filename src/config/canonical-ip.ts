import { isIP, SocketAddress } from 'node:net'

/** The one spelling of an IP address, so that `0:0:0:0:0:0:0:1` and `::1` are the same; any other text as it is. */
export function canonicalIp(text: string): string {
  // A scope (fe80::1%eth0) is part of the address and none of SocketAddress's business.
  const [address = '', scope] = text.split('%')
  if (isIP(text) !== 6) return text
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return scope === undefined ? canonical : `${canonical}%${scope}`
}
