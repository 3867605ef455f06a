import type { MetricSnapshot, MetricsSnapshot, Outcome, OutcomeClass } from '../../core/api/index.ts';
import { classOf } from '../../core/api/internal.ts';

/** A histogram of all series, as cumulative counts by upper bound. */
interface Distribution {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** What has been counted since the start. */
export interface Totals {
  readonly requests: Readonly<Record<OutcomeClass, number>>;
  /** Input and output. */
  readonly tokens: number;
  /** Of successful requests, in seconds. */
  readonly durations: Distribution;
  /** Of streams, in seconds. */
  readonly firstContent: Distribution;
}

const REQUESTS = 'koine_http_requests_total';
const TOKENS = 'koine_tokens_total';
const DURATIONS = 'koine_http_request_duration_seconds';
const FIRST_CONTENT = 'koine_time_to_first_token_seconds';
const IN_FLIGHT = 'koine_requests_in_flight';
const NAMES = new Set([REQUESTS, TOKENS, DURATIONS, FIRST_CONTENT, IN_FLIGHT]);

/** The few metrics that rates need. */
export const selectRates = (metrics: MetricsSnapshot): MetricsSnapshot => metrics.filter(({ name }) => NAMES.has(name));

type Labels = MetricSnapshot['series'][number]['labels'];

const sum = (metrics: MetricsSnapshot, name: string, fits: (labels: Labels) => boolean): number => {
  let total = 0;
  for (const metric of metrics)
    if (metric.name === name)
      for (const { labels, figures } of metric.series) if (fits(labels)) total += figures[0] ?? 0;
  return total;
};

const distribute = (metrics: MetricsSnapshot, name: string, fits: (labels: Labels) => boolean): Distribution => {
  const bounds = metrics.find((metric) => metric.name === name && metric.buckets !== undefined)?.buckets ?? [];
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const metric of metrics)
    if (metric.name === name)
      for (const { labels, figures } of metric.series)
        if (fits(labels))
          for (const index of counts.keys()) counts[index] = (counts[index] ?? 0) + (figures[index] ?? 0);
  return { bounds: [...bounds, Infinity], counts };
};

const isOf =
  (wanted: OutcomeClass) =>
  ({ outcome }: Labels): boolean =>
    classOf(outcome as Outcome['result']) === wanted;

const byClass = (count: (name: OutcomeClass) => number): Totals['requests'] => ({
  success: count('success'),
  client_error: count('client_error'),
  limited: count('limited'),
  failure: count('failure'),
});

/** @param metrics of all processes, one after the other */
export const readTotals = (metrics: MetricsSnapshot): Totals => ({
  requests: byClass((name) => sum(metrics, REQUESTS, isOf(name))),
  tokens: sum(metrics, TOKENS, ({ type }) => type === 'input' || type === 'output'),
  durations: distribute(metrics, DURATIONS, isOf('success')),
  firstContent: distribute(metrics, FIRST_CONTENT, () => true),
});

export const readInFlight = (metrics: MetricsSnapshot): number => sum(metrics, IN_FLIGHT, () => true);

/**
 * Interpolates between two bounds. A quantile beyond the last finite bound is that bound.
 * @returns whole milliseconds; null without a value between the two
 */
const quantile = ({ bounds, counts }: Distribution, before: Distribution, part: number): number | null => {
  const added = counts.map((count, index) => count - (before.counts[index] ?? 0));
  const all = added.at(-1) ?? 0;
  if (all <= 0) return null;
  const index = added.findIndex((count) => count >= part * all);
  const [lower, below] = [bounds[index - 1] ?? 0, added[index - 1] ?? 0];
  const upper = bounds[index] ?? Infinity;
  const within = Number.isFinite(upper) ? ((upper - lower) * (part * all - below)) / ((added[index] ?? 0) - below) : 0;
  return Math.round((lower + within) * 1_000);
};

/** What was counted between two times. */
export type Rates = Totals['requests'] & {
  readonly tokens: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p95FirstContentMs: number | null;
};

/** A series that was removed in between makes a total fall. */
const added = (now: number, before: number): number => Math.max(0, now - before);

export const subtract = (now: Totals, before: Totals): Rates => ({
  ...byClass((name) => added(now.requests[name], before.requests[name])),
  tokens: added(now.tokens, before.tokens),
  p50Ms: quantile(now.durations, before.durations, 0.5),
  p95Ms: quantile(now.durations, before.durations, 0.95),
  p95FirstContentMs: quantile(now.firstContent, before.firstContent, 0.95),
});
