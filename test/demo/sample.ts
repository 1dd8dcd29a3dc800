import { demoWays, expectedPaths } from '../../src/demo/demo-mesh.ts'
import type { MeasuredPath, RunningAgent } from '../../src/demo/mesh-report.ts'

export const WAYS = demoWays()

export const EXPECTED = expectedPaths(WAYS)

export const RUNNING: readonly RunningAgent[] = ['a', 'b', 'c'].map((letter, i) => ({
  node: `node-${letter}`,
  zone: `zone-${letter}`,
  url: `http://127.0.0.1:${20_001 + i}`,
}))

/** A whole mesh in which all is well. */
export function healthyPaths(): readonly MeasuredPath[] {
  return EXPECTED.map((path) => ({
    ...path,
    ok: 20,
    failed: 0,
    loss: 0,
    p50: path.connection === 'new' ? 0.00054 : 0.00031,
    p99: 0.0123,
    ...(path.probe === 'tcp' && { rttP50: 0.00002 }),
  }))
}

/** The same with other numbers on one path. */
export function withPath(
  which: Pick<MeasuredPath, 'src' | 'dst' | 'probe' | 'connection'>,
  change: Partial<MeasuredPath>,
): readonly MeasuredPath[] {
  return healthyPaths().map((path) =>
    Object.entries(which).every(([key, value]) => path[key as keyof typeof which] === value)
      ? { ...path, ...change }
      : path,
  )
}
