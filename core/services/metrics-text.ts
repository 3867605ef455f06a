import type { MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../contracts/services.ts';

/** Of the text format of Prometheus. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };
const escapeHelp = (text: string): string => text.replaceAll(/[\\\n]/g, (found) => escapes[found] ?? found);
const escapeValue = (text: string): string => (/[\\\n"]/.test(text) ? text.replaceAll(/[\\\n"]/g, (found) => escapes[found] ?? found) : text);

const formatNumber = (value: number): string => (Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');

const formatLabels = (labels: readonly string[], values: readonly string[]): string => labels.map((label, index) => `${label}="${escapeValue(values[index] ?? '')}"`).join(',');

const inBraces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

/** Writes the lines of one series. */
type WriteSeries = (labels: string, numbers: SeriesSnapshot['numbers']) => string;

const singleWriter =
  (name: string): WriteSeries =>
  (labels, [value = 0]) =>
    `${name}${inBraces(labels)} ${formatNumber(value)}\n`;

const histogramWriter = (name: string, buckets: readonly number[]): WriteSeries => {
  const bounds = [...buckets, Infinity].map((bound) => `le="${formatNumber(bound)}"}`);
  return (labels, numbers) => {
    const begin = labels === '' ? `${name}_bucket{` : `${name}_bucket{${labels},`;
    let text = '';
    let total = 0;
    for (const [index, bound] of bounds.entries()) {
      total += numbers[index + 1] ?? 0;
      text += `${begin}${bound} ${total}\n`;
    }
    return `${text}${name}_sum${inBraces(labels)} ${formatNumber(numbers[0] ?? 0)}\n${name}_count${inBraces(labels)} ${total}\n`;
  };
};

const formatMetric = ({ name, help, type, labels, buckets, series }: MetricSnapshot): string => {
  const write = buckets === undefined ? singleWriter(name) : histogramWriter(name, buckets);
  let text = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  for (const { values, numbers } of series) text += write(formatLabels(labels, values), numbers);
  return text;
};

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format. A metric without series is named all the same. */
export const formatMetrics = (snapshot: MetricsSnapshot): string => snapshot.map(formatMetric).join('');
