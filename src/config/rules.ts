import type { StaticEncode } from 'typebox'
import type { Problem } from '../model/problem.ts'
import { canonicalIp } from './canonical-ip.ts'
import { overlaps, parseListenAddress } from './listen-address.ts'
import type { configSchema } from './schema.ts'
import { showValue } from './show-value.ts'

/** What is valid of something, at its place: anything may be missing. */
type Draft<T> = T extends readonly (infer Item)[]
  ? readonly Draft<Item>[] | undefined
  : T extends object
    ? { readonly [Key in keyof T]?: Draft<T[Key]> } | undefined
    : T | undefined

/** A configuration as written, with its defaults, without what is wrong in itself. */
export type ConfigDraft = Draft<StaticEncode<typeof configSchema>>

/**
 * What must hold between values of a configuration.
 *
 * @param self name of this node, where it is known
 */
export function crossProblems(draft: ConfigDraft, self: string | undefined): Problem[] {
  return [
    ...duplicateSites(draft),
    ...emptySites(draft),
    ...duplicateNodes(draft),
    ...onlySelf(draft, self),
    ...duplicatePorts(draft),
    ...clashingListeners(draft),
  ]
}

interface Claim {
  readonly path: string
  /** What may be there once. */
  readonly value: string
}

function duplicateSites(draft: ConfigDraft): Problem[] {
  return duplicates((draft?.sites ?? []).flatMap((site, index) => claim(`sites[${index}].name`, site?.name)))
}

function emptySites(draft: ConfigDraft): Problem[] {
  return (draft?.sites ?? []).flatMap((site, index) => {
    if (site === undefined) return []
    // A pattern that is wrong is there all the same.
    const isEmpty = !Object.hasOwn(site, 'nodes') && site.cidrs?.length === 0 && site.zones?.length === 0
    return isEmpty
      ? [
          {
            path: `sites[${index}]`,
            message: 'must say by cidrs, nodes or zones who is in it, got none of them',
          },
        ]
      : []
  })
}

function duplicateNodes(draft: ConfigDraft): Problem[] {
  return duplicates(
    (draft?.peers?.static ?? []).flatMap((peer, index) => claim(`peers.static[${index}].node`, peer?.node)),
  )
}

/** One list may serve all nodes, each of which is in it; but somebody else must be too. */
function onlySelf(draft: ConfigDraft, self: string | undefined): Problem[] {
  const peers = draft?.peers?.static ?? []
  const isAlone = self !== undefined && peers.length > 0 && peers.every((peer) => peer?.node === self)
  return isAlone
    ? [
        {
          path: 'peers.static',
          message: `must list another node than this one, got ${showValue(self)} alone`,
        },
      ]
    : []
}

/** Two nodes cannot answer at one port, and neither can two protocols. */
function duplicatePorts(draft: ConfigDraft): Problem[] {
  return duplicates(
    (draft?.peers?.static ?? []).flatMap((peer, index) =>
      Object.entries(peer?.ports ?? {}).flatMap(([protocol, port]) =>
        peer?.address === undefined || port === undefined
          ? []
          : claim(`peers.static[${index}].ports.${protocol}`, `${canonicalIp(peer.address)} port ${port}`),
      ),
    ),
  )
}

function clashingListeners(draft: ConfigDraft): Problem[] {
  const listeners = [
    ...claim('web.listen', draft?.web?.listen),
    ...claim('respond.http', draft?.respond?.http),
    ...claim('respond.tcp', draft?.respond?.tcp),
  ]
  return listeners.flatMap(({ path, value }, index) => {
    const taker = listeners.slice(0, index).find((earlier) => clash(earlier.value, value))
    return taker === undefined
      ? []
      : [{ path, message: `must not take the port of ${taker.path}, got ${showValue(value)}` }]
  })
}

function clash(one: string, other: string): boolean {
  const [a, b] = [parseListenAddress(one), parseListenAddress(other)]
  return a !== undefined && b !== undefined && overlaps(a, b)
}

function claim(path: string, value: string | undefined): Claim[] {
  return value === undefined ? [] : [{ path, value }]
}

function duplicates(claims: readonly Claim[]): Problem[] {
  const first = new Map<string, string>()
  return claims.flatMap(({ path, value }) => {
    const earlier = first.get(value)
    if (earlier === undefined) {
      first.set(value, path)
      return []
    }
    return [{ path, message: `must be unique, got ${showValue(value)}, which is at ${earlier} already` }]
  })
}
