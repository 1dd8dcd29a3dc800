import type { Seconds } from '../model/duration.ts'
import { hash32, pairHash } from './hash.ts'
import { heaviest } from './heaviest.ts'

/** How long a rotating peer stays. */
export const ROTATION: Seconds = 600

/** Number of the rotation that is under way at a wall time, in seconds since the Unix epoch. */
export function rotationEpoch(wall: Seconds): number {
  return Math.floor(wall / ROTATION)
}

/** When a rotation ends, for a person: `12:40 UTC`. */
export function rotationEnd(epoch: number): string {
  return `${new Date((epoch + 1) * ROTATION * 1000).toISOString().slice(11, 16)} UTC`
}

export interface Candidate {
  readonly node: string
  /** `hash32` of its name. */
  readonly hash: number
}

/**
 * Draws the peers of one rotation from those that are not probed anyway. No two rotations in a row draw the same
 * set where there is a choice, each node draws its own, and a node that comes or goes changes no other's draw, unless
 * the candidates are so few that they take turns.
 *
 * @param candidates in an order that is the same for the same nodes
 */
export function rotatingPeers(
  self: string,
  candidates: readonly Candidate[],
  count: number,
  epoch: number,
): readonly string[] {
  if (candidates.length <= 3 * count) return takeTurns(self, candidates, count, epoch)
  const draw = (rotation: number, from: readonly Candidate[]) => {
    const seed = pairHash(hash32(self), rotation)
    return heaviest(from, count, ({ hash }) => pairHash(seed, hash)).map(({ node }) => node)
  }
  if (epoch % 2 === 0) return draw(epoch, candidates)
  // Even rotations are free, odd ones avoid both neighbours: so each can be drawn without knowing the past.
  const taken = new Set([...draw(epoch - 1, candidates), ...draw(epoch + 1, candidates)])
  const free = candidates.filter(({ node }) => !taken.has(node))
  return draw(epoch, free)
}

function takeTurns(
  self: string,
  candidates: readonly Candidate[],
  count: number,
  epoch: number,
): readonly string[] {
  const start = (hash32(self) + epoch * count) % candidates.length
  const turn = [...candidates.slice(start), ...candidates.slice(0, start)]
  return turn.slice(0, count).map(({ node }) => node)
}
