import type { MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../../contracts/services.ts';

type Combine = (one: number, other: number) => number;
const combines: Readonly<Record<string, Combine>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
  first: (one) => one,
};

const combineOf = ({ name, aggregator }: MetricSnapshot): Combine => {
  const combine = combines[aggregator];
  if (combine === undefined) throw new Error(`The metric ${name} cannot be merged by ${aggregator}.`);
  return combine;
};

/** Label values are well-formed text, which never contains half a surrogate pair. */
const SEPARATOR = '\ud800';
const keyOf = (labels: SeriesSnapshot['labels']): string => {
  let key = '';
  for (const name in labels) key += `${labels[name]}${SEPARATOR}`;
  return key;
};

interface Merging {
  readonly metric: MetricSnapshot;
  buckets: readonly number[] | undefined;
  readonly series: Map<string, { readonly labels: SeriesSnapshot['labels']; readonly figures: number[] }>;
}

const add = ({ series }: Merging, metric: MetricSnapshot): void => {
  const combine = combineOf(metric);
  for (const { labels, figures } of metric.series) {
    const key = keyOf(labels);
    const known = series.get(key)?.figures;
    if (known === undefined) series.set(key, { labels, figures: [...figures] });
    else for (const [index, figure] of figures.entries()) known[index] = combine(known[index] ?? 0, figure);
  }
};

/**
 * Merges the metrics of several threads. The first one with a metric defines its help text and type.
 * @throws Error if a metric cannot be merged
 */
export function mergeMetrics(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const merged = new Map<string, Merging>();
  for (const metric of snapshots.flat()) {
    const known: Merging = merged.get(metric.name) ?? { metric, buckets: undefined, series: new Map() };
    merged.set(metric.name, known);
    // A histogram without series has no bounds.
    if (metric.series.length > 0) known.buckets ??= metric.buckets;
    add(known, metric);
  }
  return Array.from(merged.values(), ({ metric, buckets, series }) => ({
    ...metric,
    ...(buckets === undefined ? {} : { buckets }),
    series: [...series.values()],
  }));
}

/** What remains of a thread that has ended: its counts, not its gauges. */
export const retireMetrics = (snapshot: MetricsSnapshot): MetricsSnapshot =>
  snapshot.filter(({ type }) => type !== 'gauge');
