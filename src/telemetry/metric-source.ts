export type Labels = Readonly<Record<string, string>>

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

/** One line of the exposition. */
export interface MetricValue {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
  /** Name of the line where it is not the metric's own: `_sum`, `_count`, `_bucket`. */
  readonly metricName?: string
}

export interface MetricSnapshot {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly values: readonly MetricValue[]
}

/** A metric as the registry holds it, whoever keeps its numbers. */
export interface MetricSource {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  get(): Promise<MetricSnapshot>
}

// What the registry really asks of a metric; its own declaration admits only the library's four classes.
declare module 'prom-client' {
  interface Registry<BoundRegistryContentType extends RegistryContentType = PrometheusContentType> {
    registerMetric(metric: MetricSource): void
    getSingleMetric(name: string): MetricSource | undefined
  }
}
