import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDuration } from '../src/model/duration.ts'
import { measureAgentCost } from './agent-cost.ts'
import { compareWithBlackbox } from './versus-blackbox.ts'
import { measureYardstick } from './yardstick.ts'

/** Measures the bars that a build is held to, and prints them beside today's figures. Judges nothing: machines are noisy. */

const HELP = `Usage: make bench [ARGS="--for 2m"]

  --for DURATION   how long the agent is watched (default 10m, the length the bars are stated for)
`

const { values } = parseArgs({
  options: { for: { type: 'string', default: '10m' }, help: { type: 'boolean' } },
})
const seconds = parseDuration(values.for)
if (values.help === true || seconds === undefined) {
  console.error(
    values.help === true
      ? HELP
      : `Cannot parse --for: must be a duration such as 2m, got "${values.for}"\n\n${HELP}`,
  )
  process.exit(values.help === true ? 0 : 2)
}

const root = join(import.meta.dirname, '..')
execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'inherit' })

row('bare tcp attempt, both ends', 'the yardstick of the rows below', us(await measureYardstick()))

console.error('CPU per attempt, ours and blackbox_exporter in turns ...')
for (const probe of ['tcp', 'http'] as const) {
  const { ours, theirs, ourRounds, theirRounds } = await compareWithBlackbox(probe)
  row(
    `CPU per ${probe} attempt, new connection`,
    `below ${us(theirs)} (${theirRounds.map(us).join(' ')})`,
    `${us(ours)} (${ourRounds.map(us).join(' ')})`,
  )
}

console.error(`agent at defaults, 10 peers, probing and probed, for ${values.for} ...`)
const cost = await measureAgentCost(seconds)
row(
  'resident memory',
  '95 MiB',
  `${cost.rss.toFixed(1)} MiB, ${cost.rssSlope.toFixed(2)} MiB/min in the second half`,
)
row(
  'CPU',
  '1.2 % of a core',
  `${(100 * cost.cores).toFixed(2)} % (yardstick afterwards: ${us(await measureYardstick())})`,
)
row('handles', 'no growth', `${cost.handlesFirst} at first, ${cost.handlesLast} at last`)
row(
  'start delay p99, a minute each',
  '5 ms idle',
  `median ${ms(cost.startDelayP99)}, worst ${ms(cost.startDelayWorst)}`,
)

function row(what: string, bar: string, today: string): void {
  console.log(`${what.padEnd(38)} ${bar.padEnd(44)} ${today}`)
}

function us(value: number): string {
  return `${value.toFixed(0)} us`
}

function ms(value: number): string {
  return `${(value * 1000).toFixed(2)} ms`
}
