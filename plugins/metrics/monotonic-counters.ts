import type { MetricsSnapshot, SeriesSnapshot } from '../../core/index.ts';

/** More than rounding can take from a sum. */
const ROUNDING = 1e-9;

/**
 * Keeps counters from falling by rounding. A sum of fractions depends on its order in the last digit, and the order changes when a worker goes;
 * Prometheus takes the smallest fall of a counter for a restart and counts all of it again. What fell by no more than rounding stays as shown before.
 */
export function createMonotonicCounters(): (metrics: MetricsSnapshot) => MetricsSnapshot {
  let shown = new Map<string, readonly number[]>();
  return (metrics) => {
    const now = new Map<string, readonly number[]>();
    const holdUp = (name: string, { labels, figures }: SeriesSnapshot): SeriesSnapshot => {
      const key = `${name} ${JSON.stringify(labels)}`;
      const before = shown.get(key) ?? [];
      const kept = figures.map((figure, index) => {
        const last = before[index] ?? figure;
        return figure < last && last - figure < last * ROUNDING ? last : figure;
      });
      now.set(key, kept);
      return { labels, figures: kept };
    };
    const all = metrics.map((metric) =>
      metric.type === 'gauge' ? metric : { ...metric, series: metric.series.map((one) => holdUp(metric.name, one)) },
    );
    shown = now;
    return all;
  };
}
