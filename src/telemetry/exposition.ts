import type { MetricSnapshot, MetricValue } from './metric-source.ts'

/** `plain` is the Prometheus text format 0.0.4, `openmetrics` is OpenMetrics 1.0. */
export type Format = 'plain' | 'openmetrics'

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  plain: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** What ends an exposition. */
export const ENDINGS: Readonly<Record<Format, string>> = { plain: '', openmetrics: '# EOF\n' }

/**
 * `# HELP` and `# TYPE` of a metric. OpenMetrics names a counter without its `_total`, which only the lines have.
 * Written by us: prom-client strips `_total` from all later plain output once it has rendered OpenMetrics.
 */
export function renderHead({ name, help, type }: MetricSnapshot, format: Format): string {
  const family = format === 'openmetrics' ? name.replace(/_total$/, '') : name
  return `# HELP ${family} ${escapeHelp(help, format)}\n# TYPE ${family} ${type}\n`
}

/** The line of one value; the same in both formats. */
export function renderValue(name: string, value: MetricValue): string {
  return `${value.metricName ?? name}${renderLabels(value.labels)} ${renderNumber(value.value)}\n`
}

const renderedLabels = new WeakMap<MetricValue['labels'], string>()

/** Label sets of most stores live as long as their series: they are rendered once. */
function renderLabels(labels: MetricValue['labels']): string {
  return renderedLabels.getOrInsertComputed(labels, labelText)
}

function labelText(labels: MetricValue['labels']): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(labels)) {
    // An empty label is the same as none.
    if (value !== undefined && value !== '') parts.push(`${name}="${escapeLabel(String(value))}"`)
  }
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function escapeHelp(help: string, format: Format): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return format === 'openmetrics' ? escaped.replaceAll('"', '\\"') : escaped
}

function renderNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
