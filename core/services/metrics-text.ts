import type { MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../contracts/services.ts';

/** Of the text format of Prometheus. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };
const escapeHelp = (text: string): string => text.replaceAll(/[\\\n]/g, (found) => escapes[found] ?? found);
const escapeValue = (text: string): string => text.replaceAll(/[\\\n"]/g, (found) => escapes[found] ?? found);

const formatNumber = (value: number): string => (Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');

const formatLabels = (labels: readonly string[], values: readonly string[]): string => labels.map((label, index) => `${label}="${escapeValue(values[index] ?? '')}"`).join(',');

const inBraces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

const writeHistogram = (lines: string[], name: string, labels: string, buckets: readonly number[], [sum = 0, ...counts]: SeriesSnapshot['numbers']): void => {
  const before = labels === '' ? '' : `${labels},`;
  let total = 0;
  for (const [index, count] of counts.entries()) {
    total += count;
    lines.push(`${name}_bucket{${before}le="${formatNumber(buckets[index] ?? Infinity)}"} ${total}`);
  }
  lines.push(`${name}_sum${inBraces(labels)} ${formatNumber(sum)}`, `${name}_count${inBraces(labels)} ${total}`);
};

const writeMetric = (lines: string[], { name, help, type, labels, buckets, series }: MetricSnapshot): void => {
  lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
  for (const { values, numbers } of series) {
    const written = formatLabels(labels, values);
    if (buckets === undefined) lines.push(`${name}${inBraces(written)} ${formatNumber(numbers[0] ?? 0)}`);
    else writeHistogram(lines, name, written, buckets, numbers);
  }
};

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format. A metric without series is named all the same. */
export const formatMetrics = (snapshot: MetricsSnapshot): string => {
  const lines: string[] = [];
  for (const metric of snapshot) writeMetric(lines, metric);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
};
