import type { Seconds } from '../model/duration.ts'
import type { ExpectedPath } from './demo-mesh.ts'
import type { MeasuredPath, RunningAgent } from './mesh-report.ts'

const ANSWER_LIMIT_MS = 5000

/** What an answer of `/api/v1/paths` has of a path, as far as the demo shows it. */
interface ApiPath extends Pick<ExpectedPath, 'src' | 'dst' | 'boundary' | 'probe' | 'connection'> {
  readonly dst_zone: string
  readonly window: {
    readonly ok: number
    readonly failed: number
    readonly loss?: number
    readonly p50_seconds?: Seconds
    readonly p99_seconds?: Seconds
    readonly noisy?: boolean
    readonly rtt_p50_seconds?: Seconds
  }
  readonly last_failure?: {
    readonly failure?: { readonly reason: string; readonly phase: string; readonly detail: string }
  }
}

/**
 * Asks an agent of the demo for its paths.
 *
 * @param window span of the numbers, 10 s to 1 h
 * @throws when it does not answer
 */
export async function readPaths({ url }: RunningAgent, window: Seconds): Promise<readonly MeasuredPath[]> {
  const response = await get(`${url}/api/v1/paths?window=${window}s`)
  // Our own process at our own version.
  const { paths } = (await response.json()) as { readonly paths: readonly ApiPath[] }
  return paths.map(toMeasured)
}

/**
 * Cold taxes of http from an agent's metrics, by destination zone.
 *
 * @throws when it does not answer
 */
export async function readColdTaxes({ url }: RunningAgent): Promise<ReadonlyMap<string, Seconds>> {
  const response = await get(`${url}/metrics`)
  return parseColdTaxes(await response.text())
}

/** Reads the cold taxes of http out of an exposition. */
export function parseColdTaxes(exposition: string): ReadonlyMap<string, Seconds> {
  const samples = exposition.matchAll(/^pathmeter_cold_tax_seconds\{([^}]*)\} (\S+)/gm)
  return new Map(
    [...samples].flatMap(([, labels = '', value]) => {
      const zone = /(?:^|,)dst_zone="([^"]*)"/.exec(labels)?.[1]
      return zone === undefined || !labels.includes('probe="http"') ? [] : [[zone, Number(value)] as const]
    }),
  )
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  if (!response.ok) throw new Error(`Cannot read ${url}: it answered with status ${response.status}`)
  return response
}

function toMeasured(path: ApiPath): MeasuredPath {
  const { src, dst, dst_zone, boundary, probe, connection, window, last_failure } = path
  const failure = last_failure?.failure
  return {
    src,
    dst,
    dstZone: dst_zone,
    boundary,
    probe,
    connection,
    ok: window.ok,
    failed: window.failed,
    loss: window.loss,
    p50: window.p50_seconds,
    p99: window.p99_seconds,
    noisy: window.noisy,
    rttP50: window.rtt_p50_seconds,
    lastFailure: failure && `${failure.reason} in ${failure.phase}: ${failure.detail}`,
  }
}
