import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { IpFamily } from '../../model/path.ts'
import type { PeerAddress } from '../../model/peer.ts'

/** The addresses of a host, the one to probe first; or a sentence that says why there are none. */
export type Resolved =
  | { readonly addresses: readonly [PeerAddress, ...PeerAddress[]] }
  | { readonly problem: string }

/**
 * Asks the system's resolver for a name, hosts file and search path included. An IP literal is its own answer.
 *
 * @param family the only one wanted; both in the resolver's order otherwise
 */
export async function resolveTarget(host: string, family: IpFamily | undefined): Promise<Resolved> {
  const all = await addressesOf(host)
  if (typeof all === 'string') return { problem: all }
  const wanted = all.filter((each) => family === undefined || each.family === family)
  const [first, ...others] = wanted
  if (first !== undefined) return { addresses: [first, ...others] }
  const has = all.map(({ address }) => address).join(', ')
  return { problem: `Cannot probe "${host}" over IPv${family}: it has only ${has}` }
}

async function addressesOf(host: string): Promise<readonly PeerAddress[] | string> {
  const literal = isIP(host)
  if (literal !== 0) return [{ address: host, family: literal === 6 ? 6 : 4 }]
  try {
    const found = await lookup(host, { all: true })
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
  } catch (error) {
    return `Cannot resolve "${host}": ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`
  }
}
