import type { GaugeAggregate, MetricShape, MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../contracts/services.ts';
import { isSameShape, keyOf } from './metrics-shape.ts';

type Numbers = SeriesSnapshot['numbers'];

const add = (one: Numbers, other: Numbers): Numbers => one.map((number, index) => number + (other[index] ?? 0));

const combine: Readonly<Record<GaugeAggregate, (one: Numbers, other: Numbers) => Numbers>> = {
  sum: add,
  max: ([one = 0], [other = 0]) => [Math.max(one, other)],
  min: ([one = 0], [other = 0]) => [Math.min(one, other)],
  first: (one) => one,
};

/** Counters and histograms add up; a gauge says of itself how it does. */
const combineOf = ({ aggregate }: MetricShape): ((one: Numbers, other: Numbers) => Numbers) => combine[aggregate ?? 'sum'];

type Namesakes = readonly [MetricSnapshot, ...MetricSnapshot[]];

const mergeNamesakes = (metrics: Namesakes): MetricSnapshot => {
  const [first] = metrics;
  if (metrics.length === 1) return first;
  const combineNumbers = combineOf(first);
  const merged = new Map<string, SeriesSnapshot>();
  for (const { series } of metrics) {
    for (const one of series) {
      const key = keyOf(one.values);
      const known = merged.get(key);
      merged.set(key, known === undefined ? one : { values: one.values, numbers: combineNumbers(known.numbers, one.numbers) });
    }
  }
  return { ...first, series: [...merged.values()] };
};

/** The metrics of several processes as those of one. Where two mean different things by one name, the first is believed. */
export const mergeMetrics = (snapshots: readonly MetricsSnapshot[]): MetricsSnapshot => {
  const byName = new Map<string, Namesakes>();
  for (const metric of snapshots.flat()) {
    const known = byName.get(metric.name);
    if (known === undefined) byName.set(metric.name, [metric]);
    else if (isSameShape(known[0], metric)) byName.set(metric.name, [...known, metric]);
  }
  return Array.from(byName.values(), mergeNamesakes);
};

/** What stays of a process that is gone: what it counted, not how it stood. */
export const retireMetrics = (snapshot: MetricsSnapshot): MetricsSnapshot => snapshot.filter(({ type }) => type !== 'gauge');
