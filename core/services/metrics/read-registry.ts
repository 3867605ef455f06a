import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';
import type { MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../../contracts/services.ts';

type Read = Pick<MetricSnapshot, 'buckets' | 'series'>;
type Sample = MetricValue<string> | MetricValueWithName<string>;

const labelsOf = ({ labels }: Sample): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

/** Omits values that JSON does not have: the event-loop mean is NaN without samples. */
const readValues = (samples: readonly Sample[]): Read => ({
  series: samples
    .filter(({ value }) => Number.isFinite(value))
    .map((sample) => ({ labels: labelsOf(sample), figures: [sample.value] })),
});

/** prom-client lists a combination as its buckets, the infinite bucket, the sum and the count. */
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
  // prom-client types it as a number, but it is a string.
  const kind = String(type);
  return {
    name,
    help,
    type: kind,
    aggregator,
    ...(kind === 'histogram' ? readHistogram(name, values) : readValues(values)),
  };
};

/** An immutable snapshot of a registry. */
export const readRegistry = async (registry: Registry): Promise<MetricsSnapshot> =>
  (await registry.getMetricsAsJSON()).map(readMetric);
