import { isIP } from 'node:net'
import Type, { type TCodec, type TString } from 'typebox'
import { formatIpNetwork, type IpNetwork, parseIpNetwork } from './ip-network.ts'
import { formatListenAddress, type ListenAddress, parseListenAddress } from './listen-address.ts'

/** A node's, zone's or site's name: it stands in URLs, headers and labels. */
export function Name(description: string): TString {
  return Type.String({
    // 253: longest DNS name, and so the longest node name of Kubernetes.
    pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$',
    description,
    expects: 'a name of at most 253 letters, digits, ".", "_" and "-"',
  })
}

/** Without a scope (`fe80::1%eth0`): it means something on one machine only. */
export function IpAddress(description: string): TString {
  const schema = Type.String({ description, expects: 'an IP address such as 10.8.0.5 or fd00::5' })
  return Type.Refine(schema, (text) => isIP(text) !== 0 && !text.includes('%'))
}

export function Network(description: string): TCodec<TString, IpNetwork> {
  const schema = Type.String({ description, expects: 'a network in CIDR notation such as 10.8.0.0/16' })
  return Type.Codec(Type.Refine(schema, (text) => parseIpNetwork(text) !== undefined))
    .Decode((text) => decoded(text, parseIpNetwork))
    .Encode(formatIpNetwork)
}

/** Written as `:9700`, `127.0.0.1:9700` or `[::1]:9700`. */
export function Listen(byDefault: string, description: string): TCodec<TString, ListenAddress> {
  const schema = Type.String({
    default: byDefault,
    description,
    expects: 'an address to listen on such as :9700, 127.0.0.1:9700 or [::1]:9700',
  })
  return Type.Codec(Type.Refine(schema, (text) => parseListenAddress(text) !== undefined))
    .Decode((text) => decoded(text, parseListenAddress))
    .Encode(formatListenAddress)
}

/** Decodes what was checked before. */
function decoded<T>(text: string, parse: (text: string) => T | undefined): T {
  const value = parse(text)
  if (value === undefined)
    throw new TypeError(`Cannot decode what no check let pass: got ${JSON.stringify(text)}`)
  return value
}
