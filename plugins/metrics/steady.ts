import type { MetricsSnapshot, SeriesSnapshot } from '../../core/index.ts';

/** More than rounding can take from a sum. */
const DUST = 1e-9;

/**
 * A sum of fractions depends on its order in the last digit, and the order changes when a worker goes. Prometheus takes the smallest fall of a
 * counter for a new beginning, and counts all of it once more: what fell by dust alone stays.
 */
export const createSteady = (): ((metrics: MetricsSnapshot) => MetricsSnapshot) => {
  let shown = new Map<string, readonly number[]>();
  return (metrics) => {
    const now = new Map<string, readonly number[]>();
    const steady = (name: string, { labels, figures }: SeriesSnapshot): SeriesSnapshot => {
      const key = `${name} ${JSON.stringify(labels)}`;
      const before = shown.get(key) ?? [];
      const kept = figures.map((figure, index) => {
        const last = before[index] ?? figure;
        return figure < last && last - figure < last * DUST ? last : figure;
      });
      now.set(key, kept);
      return { labels, figures: kept };
    };
    const all = metrics.map((metric) => (metric.type === 'gauge' ? metric : { ...metric, series: metric.series.map((one) => steady(metric.name, one)) }));
    shown = now;
    return all;
  };
};
