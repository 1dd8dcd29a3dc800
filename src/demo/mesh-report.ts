import type { Seconds } from '../model/duration.ts'
import type { DemoAgent, ExpectedPath } from './demo-mesh.ts'

/** What an agent says of one of its paths. */
export interface MeasuredPath extends ExpectedPath {
  readonly ok: number
  readonly failed: number
  /** Failed and skipped of all that were due, 0 to 1. Absent while nothing was due. */
  readonly loss?: number | undefined
  /** Of successes that are not flagged; of all where every one is, and `noisy` is then true. Absent without successes. */
  readonly p50?: Seconds | undefined
  readonly p99?: Seconds | undefined
  readonly noisy?: boolean | undefined
  /** Kernel round trip. */
  readonly rttP50?: Seconds | undefined
  /** Reason, phase and detail of the last failure. */
  readonly lastFailure?: string | undefined
}

export interface RunningAgent extends DemoAgent {
  /** Of its web surface, without a slash at the end. */
  readonly url: string
}

/** Every expected path with what was measured of it, in the order of `expected`; nothing is left out. */
export function completePaths(
  expected: readonly ExpectedPath[],
  measured: readonly MeasuredPath[],
): readonly MeasuredPath[] {
  const found = new Map(measured.map((path) => [keyOf(path), path]))
  return expected.map((path) => found.get(keyOf(path)) ?? { ...path, ok: 0, failed: 0 })
}

/** How it ended. Good is: every agent answered, every path was measured, and no attempt failed. */
export function conclusion(
  paths: readonly MeasuredPath[],
  silent: readonly string[],
): { readonly good: boolean; readonly sentences: readonly string[] } {
  const wrong = [...silent.map((node) => `${node} does not answer`), ...paths.flatMap(shortcomingOf)]
  if (wrong.length > 0) return { good: false, sentences: wrong }
  return { good: true, sentences: ['Every path was measured by every kind, without a failure'] }
}

/** How far it is. */
export function progressText(paths: readonly MeasuredPath[]): string {
  const measured = paths.filter(({ ok }) => ok > 0).length
  const failed = paths.reduce((sum, path) => sum + path.failed, 0)
  const made = paths.reduce((sum, path) => sum + path.ok, failed)
  return `${measured} of ${paths.length} paths measured; ${failed} of ${made} attempts failed`
}

function shortcomingOf(path: MeasuredPath): readonly string[] {
  const { src, dst, probe, connection, ok, failed, lastFailure } = path
  const name = `${src} to ${dst}, ${probe} ${connection}`
  if (failed === 0) return ok > 0 ? [] : [`${name}: not measured`]
  const why = lastFailure === undefined ? '' : `, last ${lastFailure}`
  return [`${name}: ${failed} of ${ok + failed} failed${why}`]
}

/** The document of `demo --json`, version 1. What is not known is null. */
export function demoJson(agents: readonly RunningAgent[], paths: readonly MeasuredPath[]): object {
  return {
    apiVersion: 'v1',
    agents: agents.map(({ node, zone, url }) => ({ node, zone, url })),
    paths: paths.map((path) => ({
      src: path.src,
      dst: path.dst,
      dst_zone: path.dstZone,
      boundary: path.boundary,
      probe: path.probe,
      connection: path.connection,
      ok: path.ok,
      failed: path.failed,
      loss: path.loss ?? null,
      p50_seconds: path.p50 ?? null,
      p99_seconds: path.p99 ?? null,
    })),
  }
}

function keyOf({ src, dst, probe, connection }: ExpectedPath): string {
  return [src, dst, probe, connection].join('\0')
}
