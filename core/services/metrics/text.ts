import type { MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../../contracts/services.ts';

/** The content-type of the Prometheus text format. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

/** `a="x",b="y"`; computed once per combination, however many lines it has. */
const writeLabels = (labels: SeriesSnapshot['labels']): string => {
  let text = '';
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escapeValue(labels[name] ?? '')}"`;
  return text;
};

const writeHistogram = (
  name: string,
  bounds: readonly string[],
  labels: string,
  figures: readonly number[],
): string => {
  const [more, alone] = labels === '' ? ['', ''] : [`,${labels}`, `{${labels}}`];
  let text = '';
  for (const [index, bound] of bounds.entries()) text += `${name}_bucket{le="${bound}"${more}} ${figures[index]}\n`;
  return `${text}${name}_sum${alone} ${figures[bounds.length]}\n${name}_count${alone} ${figures[bounds.length - 1]}\n`;
};

const writeMetric = ({ name, help, type, buckets, series }: MetricSnapshot): string => {
  const bounds = [...(buckets ?? []).map(String), '+Inf'];
  let text = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  for (const one of series) {
    const labels = writeLabels(one.labels);
    text +=
      type === 'histogram'
        ? writeHistogram(name, bounds, labels, one.figures)
        : `${name}${labels === '' ? '' : `{${labels}}`} ${one.figures[0]}\n`;
  }
  return text;
};

/** Formats metrics in the Prometheus text format. A metric without series still gets its header lines. */
export const formatMetrics = (metrics: MetricsSnapshot): string => metrics.map(writeMetric).join('\n');
