import { selectPeers } from '../src/plan/select.ts'
import { changedShare, fleetOf, lastingEdgesAtOnce } from '../test/plan/fleet.ts'

/** The promises of peer selection, as figures: time of one selection, and edges that one node moves. */

const PER_ZONE = 3
const ZONES = 3

function evenly(nodes: number): number[] {
  return Array.from({ length: ZONES }, (_, i) => Math.floor((nodes + i) / ZONES))
}

function printTimes(size: number, runs: number): void {
  const nodes = fleetOf(evenly(size), 'ip-10-0-3-7.eu-west-1.compute.internal')
  const self = nodes[0] ?? { node: '', zone: '' }
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    selectPeers({ self, nodes, perZone: PER_ZONE, rotating: 1, epoch: 1 })
    times.push(performance.now() - start)
  }
  const first = times[0] ?? 0
  times.sort((a, b) => a - b)
  const [best, p50, p99] = [0, 0.5, 0.99].map((share) => times[Math.floor(share * (times.length - 1))] ?? 0)
  const figures = [first, best ?? 0, p50 ?? 0, p99 ?? 0].map((ms) => ms.toFixed(2).padStart(8))
  console.log(`${String(size).padStart(6)} ${figures.join(' ')}`)
}

function printChurn(sizes: readonly number[], perZone: number): void {
  const nodes = fleetOf(sizes)
  const before = lastingEdgesAtOnce(nodes, perZone)
  const shares = [0, 503, nodes.length - 1].flatMap((index) => {
    const zone = nodes[index]?.zone ?? ''
    const plans = [nodes.filter((_, i) => i !== index), [...nodes, { node: `newcomer-${index}`, zone }]]
    return plans.map((plan) => changedShare(before, lastingEdgesAtOnce(plan, perZone)))
  })
  const figures = [String(perZone).padStart(8), String(before.size).padStart(7)]
  const worst = (100 * Math.max(...shares)).toFixed(2).padStart(7)
  console.log(`${sizes.join(' + ').padEnd(18)} ${figures.join(' ')} ${worst}`)
}

console.log(
  `one selection in ${ZONES} zones, ms (bar: 5 at 5000)\n nodes    first     best      p50      p99`,
)
printTimes(10, 1000)
printTimes(1000, 300)
printTimes(5000, 100)

console.log(
  '\none node comes or goes, % of edges made or dropped, worst of six (bar: 1 in zones of like size)',
)
console.log('nodes in zones      perZone   edges   worst')
printChurn([334, 333, 333], PER_ZONE)
printChurn([400, 350, 250], PER_ZONE)
printChurn([500, 500], PER_ZONE)
printChurn([600, 300, 100], PER_ZONE)
printChurn([750, 250], PER_ZONE)
printChurn([334, 333, 333], 1)
