import type { PeerPorts } from '../src/model/peer.ts'
import { freePorts, scrape, startAgent, startSwarm } from './measured-agent.ts'
import { median, readUse, start, untilReady } from './processes.ts'

const PEERS = 10
/** Attempts a second at each peer: fast enough to stand out from what an idle agent costs. */
const RATE = 8
const ROUND_MS = 10_000
const ROUNDS = 3

/** CPU per attempt, in microseconds: the median of the rounds, and all of them. */
export interface Versus {
  readonly probe: 'tcp' | 'http'
  readonly ours: number
  readonly theirs: number
  readonly ourRounds: readonly number[]
  readonly theirRounds: readonly number[]
}

/** What an attempt on a new connection costs: our agent beside blackbox_exporter, in turns, at the same targets and rate. */
export async function compareWithBlackbox(probe: 'tcp' | 'http'): Promise<Versus> {
  await using swarm = await startSwarm(PEERS)
  const ourRounds: number[] = []
  const theirRounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ourRounds.push(await measureOurs(probe, swarm.ports))
    theirRounds.push(await measureTheirs(probe, swarm.ports))
  }
  return { probe, ours: median(ourRounds), theirs: median(theirRounds), ourRounds, theirRounds }
}

async function measureOurs(probe: 'tcp' | 'http', peers: readonly PeerPorts[]): Promise<number> {
  const every = `${1000 / RATE}ms`
  // An hour is never, here.
  const probes =
    probe === 'tcp'
      ? { tcp: { every, limit: '8s' }, http: { reused: { every: '1h' }, new: { every: '1h' } } }
      : { tcp: { every: '1h' }, http: { reused: { every: '1h' }, new: { every } } }
  await using agent = await startAgent(peers, probes)
  await pause(3000)
  const before = readUse(agent.pid)
  const due = await dueSlots(agent.url)
  await pause(ROUND_MS)
  const attempts = (await dueSlots(agent.url)) - due
  return ((readUse(agent.pid).cpu - before.cpu) / attempts) * 1e6
}

async function dueSlots(url: string): Promise<number> {
  return (await scrape(url, 'pathmeter_due_slots_total')).get('') ?? 0
}

async function measureTheirs(probe: 'tcp' | 'http', peers: readonly PeerPorts[]): Promise<number> {
  const [port = 0] = await freePorts(1)
  const config = '/etc/prometheus/blackbox.yml'
  const listen = `127.0.0.1:${port}`
  await using exporter = await start('prometheus-blackbox-exporter', [
    `--config.file=${config}`,
    `--web.listen-address=${listen}`,
    '--log.level=error',
  ])
  await untilReady(`http://${listen}/-/healthy`)
  const query = probe === 'tcp' ? 'module=tcp_connect' : 'module=http_2xx'
  const urls = peers.map((ports) => {
    const target =
      probe === 'tcp' ? `127.0.0.1:${ports.tcp}` : `http://127.0.0.1:${ports.http}/v1/echo?size=512`
    return `http://${listen}/probe?${query}&target=${encodeURIComponent(target)}`
  })
  await run(urls, 3000)
  const before = readUse(exporter.pid)
  const attempts = await run(urls, ROUND_MS)
  return ((readUse(exporter.pid).cpu - before.cpu) / attempts) * 1e6
}

/** Asks for each URL `RATE` times a second, and returns how many were answered by a success. */
async function run(urls: readonly string[], ms: number): Promise<number> {
  const slots = Math.floor((ms / 1000) * RATE)
  let successes = 0
  const begun = performance.now()
  const asked: Promise<void>[] = []
  for (let slot = 0; slot < slots; slot++) {
    for (const [index, url] of urls.entries()) {
      const due = begun + (1000 / RATE) * (slot + index / urls.length)
      await pause(due - performance.now())
      asked.push(
        fetch(url)
          .then((response) => response.text())
          .then((text) => {
            if (text.includes('probe_success 1')) successes += 1
          }),
      )
    }
  }
  await Promise.all(asked)
  if (successes < asked.length) throw new Error(`Only ${successes} of ${asked.length} probes succeeded`)
  return successes
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
