import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';
import type { MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../../contracts/metrics.ts';

type Read = Pick<MetricSnapshot, 'buckets' | 'series'>;
type Sample = MetricValue<string> | MetricValueWithName<string>;

const labelsOf = ({ labels }: Sample): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

/** Left out is what JSON cannot carry: of the event loop a mean of nothing. */
const readValues = (samples: readonly Sample[]): Read => ({
  series: samples
    .filter(({ value }) => Number.isFinite(value))
    .map((sample) => ({ labels: labelsOf(sample), figures: [sample.value] })),
});

/** prom-client lists a combination as its buckets, the infinite one, the sum and the count. */
const readHistogram = (name: string, samples: readonly Sample[]): Read => {
  const bounds = new Set<number>();
  const series: SeriesSnapshot[] = [];
  let counts: number[] = [];
  let sum = 0;
  for (const sample of samples) {
    const kind = 'metricName' in sample ? sample.metricName?.slice(name.length) : undefined;
    if (kind === '_bucket') {
      const { le } = sample.labels;
      if (typeof le === 'number') {
        bounds.add(le);
        counts.push(sample.value);
      }
    } else if (kind === '_sum') sum = sample.value;
    else {
      series.push({ labels: labelsOf(sample), figures: [...counts, sample.value, sum] });
      counts = [];
    }
  }
  return { buckets: [...bounds], series };
};

const readMetric = ({
  name,
  help,
  type,
  aggregator,
  values,
}: MetricObjectWithValues<MetricValue<string>>): MetricSnapshot => {
  // Typed as a number by prom-client, and a word.
  const kind = String(type);
  return {
    name,
    help,
    type: kind,
    aggregator,
    ...(kind === 'histogram' ? readHistogram(name, values) : readValues(values)),
  };
};

/** What a registry holds, as a snapshot that stays as it is. */
export const readRegistry = async (registry: Registry): Promise<MetricsSnapshot> =>
  (await registry.getMetricsAsJSON()).map(readMetric);
