import type { Sink } from '../model/check.ts'
import type { Clock, Instant } from '../model/clock.ts'
import type { Collector } from '../model/family.ts'
import type { Place } from '../model/path.ts'
import { Exporter, type Exposition } from './exporter.ts'
import { identityCollector } from './identity.ts'
import { negotiate } from './negotiate.ts'
import { type Detail, type KindFamilies, PathMetrics } from './path-metrics.ts'
import { processMetrics } from './process-metrics.ts'

export interface TelemetryOptions {
  /** The metric families of each kind of probe, by its name. */
  readonly kinds: KindFamilies
  readonly clock: Clock
  readonly self: Place
  /** Of the program. */
  readonly version: string
  /** The default is `full`. */
  readonly detail?: Detail
}

export interface Telemetry {
  readonly sink: Sink
  /**
   * Shows a part's own state at every scrape.
   *
   * @throws Error when the name of a family is taken or breaks the conventions
   */
  addCollector(collector: Collector): void
  /** What a scrape with this `Accept` header gets. Overlapping scrapes share one rendering. */
  render(accept: string | undefined): Promise<Exposition>
  /** Drops the series of checks that ended longer ago than the time of grace; each rendering does it too. */
  sweep(now: Instant): void
}

export function createTelemetry({
  kinds,
  clock,
  self,
  version,
  detail = 'full',
}: TelemetryOptions): Telemetry {
  const paths = new PathMetrics(kinds, clock, detail)
  const exporter = new Exporter(clock)
  for (const metric of [...paths.stores, ...processMetrics(clock)]) exporter.register(metric)
  exporter.addCollector(paths)
  exporter.addCollector(identityCollector(self, version))
  return {
    sink: paths,
    addCollector: (collector) => exporter.addCollector(collector),
    sweep: (now) => paths.sweep(now),
    render(accept) {
      paths.sweep(clock.now())
      return exporter.render(negotiate(accept))
    },
  }
}
