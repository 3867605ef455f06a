import type { GaugeAggregate, MetricShape, MetricSnapshot, MetricsSnapshot, SeriesSnapshot } from '../contracts/services.ts';
import { isSameShape, keyOf } from './metrics-shape.ts';

type Add = (sum: number[], other: SeriesSnapshot['numbers']) => void;

const addEach: Add = (sum, other) => {
  for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (other[index] ?? 0);
};
const choose =
  (pick: (one: number, other: number) => number): Add =>
  (sum, [other = 0]) => {
    sum[0] = pick(sum[0] ?? 0, other);
  };

const adds: Readonly<Record<GaugeAggregate, Add>> = { sum: addEach, max: choose(Math.max), min: choose(Math.min), first: () => {} };

/** Counters and histograms add up; a gauge says of itself how it does. */
const addOf = ({ aggregate }: MetricShape): Add => adds[aggregate ?? 'sum'];

type Namesakes = readonly [MetricSnapshot, ...MetricSnapshot[]];

const mergeNamesakes = (metrics: Namesakes): MetricSnapshot => {
  const [first] = metrics;
  if (metrics.length === 1) return first;
  const add = addOf(first);
  const merged = new Map<string, { readonly values: readonly string[]; readonly numbers: number[] }>();
  for (const { series } of metrics) {
    for (const one of series) {
      const key = keyOf(one.values);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { values: one.values, numbers: [...one.numbers] });
      else add(known.numbers, one.numbers);
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
