import { setTimeout as sleep } from 'node:timers/promises'
import { briefDuration } from '../commands/brief-duration.ts'
import { paintFor } from '../commands/paint.ts'
import type { Seconds } from '../model/duration.ts'
import { demoLines, intervalsText } from './demo-table.ts'
import { LiveScreen } from './live-screen.ts'
import { conclusion, demoJson, progressText } from './mesh-report.ts'
import { MeshWatch } from './mesh-watch.ts'
import { ChildFailed, type RunningMesh, startMesh } from './start-mesh.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Options of the command. */
export interface DemoFlags {
  /** How long to measure; until Ctrl-C without it. */
  readonly for?: Seconds
  readonly json?: boolean
}

/** Of a table that goes to no terminal, in characters. */
const WIDTH = 100
const REDRAW_EVERY: Seconds = 1
/** Time between two lines for those who have no terminal. */
const REPORT_EVERY: Seconds = 10

/**
 * Runs the mesh of the demo and shows what it measures.
 *
 * @returns the exit code: 0 when every path was measured without a failure, or at Ctrl-C; 1 otherwise
 */
export async function runDemo({ for: length, json = false }: DemoFlags): Promise<number> {
  const [, program] = process.argv
  if (program === undefined) throw new Error('Cannot start the demo: the path of this program is not known')
  const stop = new AbortController()
  const onSignal = () => {
    // Whoever asks twice does not want to wait: children and folder go with this process.
    if (stop.signal.aborted) process.exit(1)
    stop.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal)
  try {
    await using folder = await createTemporaryFolder('pathmeter-demo-')
    say(`Starting three agents and a responder; logs: ${folder.path}`)
    await using mesh = await startMesh({ program, folder: folder.path, signal: stop.signal })
    return await show(mesh, { length, json, signal: stop.signal })
  } catch (error) {
    if (stop.signal.aborted) return 0
    if (!(error instanceof ChildFailed)) throw error
    sayFailure(error)
    return 1
  }
}

interface ShowOptions {
  readonly length: Seconds | undefined
  readonly json: boolean
  readonly signal: AbortSignal
}

async function show(mesh: RunningMesh, { length, json, signal }: ShowOptions): Promise<number> {
  const stream = json ? process.stderr : process.stdout
  using screen = isTerminal(stream) ? new LiveScreen(stream, paintFor(stream)) : undefined
  const watch = new MeshWatch(mesh.agents)
  if (screen === undefined) {
    for (const { node, url } of mesh.agents) say(`${node} is at ${url}/`)
    say(`Measuring: ${intervalsText(watch.ways)}`)
  }
  const startedAt = performance.now()
  const linesOver = (span: string) => {
    const elapsed = briefDuration(Math.round((performance.now() - startedAt) / 1000))
    const time =
      length === undefined ? `${elapsed}, Ctrl-C ends it` : `${elapsed} of ${briefDuration(length)}`
    const { ways, paths, coldTaxes } = watch
    return demoLines({ ways, paths, coldTaxes, agents: mesh.agents, span, time }, screen?.width ?? WIDTH)
  }

  let broken = false
  const ended = mesh.ended.then(() => {
    broken = true
  })
  for (let tick = 1; !broken && !signal.aborted; tick++) {
    const left = (length ?? Number.POSITIVE_INFINITY) - (performance.now() - startedAt) / 1000
    if (left <= 0) break
    await Promise.race([pause(Math.min(REDRAW_EVERY, left), signal), ended])
    if (screen === undefined && tick % (REPORT_EVERY / REDRAW_EVERY) !== 0) continue
    await watch.look('recent')
    if (screen === undefined) say(progressText(watch.paths))
    else screen.draw(linesOver('the last 5 minutes'))
  }
  await watch.look('all')
  screen?.draw(linesOver('the whole run'))

  if (json) process.stdout.write(`${JSON.stringify(demoJson(mesh.agents, watch.paths), null, 2)}\n`)
  else if (screen === undefined) {
    const lines = linesOver('the whole run').map(({ text }) => `${text}\n`)
    process.stdout.write(lines.join(''))
  }
  if (broken) {
    sayFailure(await mesh.postMortem())
    return 1
  }
  if (signal.aborted) return 0
  const { good, sentences } = conclusion(watch.paths, watch.silent)
  for (const sentence of sentences) say(sentence)
  return good ? 0 : 1
}

/** Whether lines can be drawn over. */
function isTerminal(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env['TERM'] !== 'dumb'
}

async function pause(seconds: Seconds, signal: AbortSignal): Promise<void> {
  try {
    await sleep(seconds * 1000, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function sayFailure({ message, log }: ChildFailed): void {
  say(`${message}; the end of its log:\n${log.replace(/^/gm, '  ')}`)
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
