import type { MetricsSnapshot, SeriesSnapshot } from '../../core/api/index.ts';

/** Relative size of a fall that can be a rounding error. */
const ROUNDING = 1e-9;

/**
 * Keeps counters from falling by rounding. The last digits of a sum of fractions depend on the order of its terms,
 * which changes when a worker exits. Prometheus takes the smallest fall of a counter for a restart and counts all of it
 * again. A value that fell by no more than a rounding error is replaced by the previous one.
 */
export function createMonotonicCounters(): (metrics: MetricsSnapshot) => MetricsSnapshot {
  let previous = new Map<string, readonly number[]>();
  return (metrics) => {
    const current = new Map<string, readonly number[]>();
    const keepMonotonic = (name: string, { labels, figures }: SeriesSnapshot): SeriesSnapshot => {
      const key = `${name} ${JSON.stringify(labels)}`;
      const before = previous.get(key) ?? [];
      const kept = figures.map((figure, index) => {
        const last = before[index] ?? figure;
        return figure < last && last - figure < last * ROUNDING ? last : figure;
      });
      current.set(key, kept);
      return { labels, figures: kept };
    };
    const corrected = metrics.map((metric) =>
      metric.type === 'gauge'
        ? metric
        : { ...metric, series: metric.series.map((series) => keepMonotonic(metric.name, series)) },
    );
    previous = current;
    return corrected;
  };
}
