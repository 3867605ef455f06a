import { collectDefaultMetrics, Registry } from 'prom-client';
import type { GaugeAggregate, MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../contracts/services.ts';
import { keyOf } from './metrics-shape.ts';

type Collected = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];
type CollectedValue = Collected['values'][number] & { readonly metricName?: string };

/** One for the process: each set brings observers of garbage collection and of the event loop that nobody could stop. */
let collected: Registry | undefined;

const collectProcess = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};

/** Of several processes the worst is shown where prom-client would show their mean, and the oldest start. */
const aggregates: Readonly<Record<string, GaugeAggregate>> = { sum: 'sum', max: 'max', min: 'min', first: 'first', average: 'max', omit: 'min' };

const labelsOf = ({ labels }: CollectedValue): readonly (readonly [string, string])[] =>
  Object.entries(labels).flatMap(([name, value]) => (name === 'le' || value === undefined ? [] : [[name, String(value)] as const]));

const readSingles = (values: readonly CollectedValue[]): readonly SeriesSnapshot[] =>
  values.filter(({ value }) => Number.isFinite(value)).map((one) => ({ values: labelsOf(one).map(([, value]) => value), numbers: [one.value] }));

/** prom-client's lines (cumulative buckets, then sum and count) as one series: the sum, then each bucket by itself. */
const readHistogram = (name: string, lines: readonly CollectedValue[]): readonly SeriesSnapshot[] => {
  const series = new Map<string, { readonly values: readonly string[]; readonly counts: number[]; sum: number }>();
  for (const line of lines) {
    const values = labelsOf(line).map(([, value]) => value);
    const one = series.get(keyOf(values)) ?? { values, counts: [], sum: 0 };
    series.set(keyOf(values), one);
    if (line.metricName === `${name}_bucket`) one.counts.push(line.value);
    else if (line.metricName === `${name}_sum`) one.sum = line.value;
  }
  return Array.from(series.values(), ({ values, counts, sum }) => ({ values, numbers: [sum, ...counts.map((count, index) => count - (counts[index - 1] ?? 0))] }));
};

const readBounds = (lines: readonly CollectedValue[]): readonly number[] =>
  [...new Set(lines.flatMap(({ labels }) => ('le' in labels && labels['le'] !== '+Inf' ? [Number(labels['le'])] : [])))];

const toSnapshot = ({ name, help, type, aggregator, values }: Collected): readonly MetricSnapshot[] => {
  const [sample] = values;
  if (sample === undefined) return [];
  const shape = { name, help, labels: labelsOf(sample).map(([label]) => label) };
  const kind = String(type);
  if (kind === 'histogram') return [{ ...shape, type: 'histogram', buckets: readBounds(values), series: readHistogram(name, values) }];
  const series = readSingles(values);
  return [kind === 'counter' ? { ...shape, type: 'counter', series } : { ...shape, type: 'gauge', aggregate: aggregates[aggregator] ?? 'sum', series }];
};

/**
 * What Node and the system say of this process, under the usual names (`process_*`, `nodejs_*`). The event-loop figures are of the time since the
 * last call.
 */
export const readProcessMetrics = async (): Promise<MetricsSnapshot> => {
  collected ??= collectProcess();
  return (await collected.getMetricsAsJSON()).flatMap(toSnapshot);
};
