import { pairHash } from './hash.ts'
import { hashIn, indexIn, type Ring, sortKey } from './ring.ts'

/** Marks a node that nobody has to probe. */
const NOBODY = -1

/** More passes than a round can take, as each settles about half of what is left; it keeps the salts apart. */
const PASSES_PER_ROUND = 64

/**
 * Gives each node of `to` an owner in `from`, which must probe it. An owner takes up to `perZone` nodes; only where
 * that does not reach, in further rounds one more each, up to `2 * perZone`. Where even that does not reach, some
 * nodes have no owner.
 *
 * A round goes in passes. In each, the nodes without owner are thrown anew onto the ring of `from`, and an owner with
 * room takes those between itself and the next owner with room, nearest first. What is left over waits for the next
 * pass. So a node that comes or goes displaces at most one other in each pass, and the passes are about log2 of the
 * zone's size, where nearest-first on a single ring shifts a chain as long as the square root of it.
 *
 * @returns for each index in `to` the index of its owner in `from`, or -1
 */
export function coverZone(from: Ring, to: Ring, perZone: number): Int32Array {
  const owners = new Int32Array(to.names.length).fill(NOBODY)
  const room = new Int32Array(from.names.length)
  for (let round = 0; round <= perZone; round++) {
    room.fill(round === 0 ? perZone : 1)
    for (let pass = 0; pass < PASSES_PER_ROUND; pass++) {
      const thrown = throwOnRing(to, owners, round * PASSES_PER_ROUND + pass)
      if (thrown.length === 0) return owners
      const open = indexesWithRoom(room)
      if (open.length === 0) break
      claimArcs(from, open, thrown, room, owners)
    }
  }
  return owners
}

/** Sort keys of the nodes without owner, in order of their places in this pass. */
function throwOnRing({ hashes }: Ring, owners: Int32Array, salt: number): Float64Array {
  const keys = new Float64Array(hashes.length)
  let count = 0
  for (let i = 0; i < hashes.length; i++) {
    if (owners[i] === NOBODY) keys[count++] = sortKey(pairHash(salt, hashes[i] ?? 0), i)
  }
  return keys.subarray(0, count).sort()
}

/** In ring order, since indexes are. */
function indexesWithRoom(room: Int32Array): Int32Array {
  const open = new Int32Array(room.length)
  let count = 0
  for (let i = 0; i < room.length; i++) if ((room[i] ?? 0) > 0) open[count++] = i
  return open.subarray(0, count)
}

/** One pass: each owner takes what stands between itself and the next, as far as its room goes. */
function claimArcs(
  from: Ring,
  open: Int32Array,
  thrown: Float64Array,
  room: Int32Array,
  owners: Int32Array,
): void {
  const placeOf = (turn: number): number => from.hashes[open[turn] ?? 0] ?? 0
  const first = placeOf(0)
  const after = thrown.findIndex((key) => hashIn(key) >= first)
  const start = after === -1 ? thrown.length : after
  let turn = 0
  for (let step = 0; step < thrown.length; step++) {
    const at = start + step
    const wraps = at >= thrown.length
    const key = thrown[wraps ? at - thrown.length : at] ?? 0
    // What stands before the first owner on the circle lies behind the last.
    while (turn + 1 < open.length && (wraps || placeOf(turn + 1) <= hashIn(key))) turn++
    const owner = open[turn] ?? 0
    const left = room[owner] ?? 0
    if (left === 0) continue
    room[owner] = left - 1
    owners[indexIn(key)] = owner
  }
}
