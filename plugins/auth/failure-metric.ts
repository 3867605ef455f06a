import type { Metrics } from '../../core/api/index.ts';

const reasons = ['missing', 'unknown', 'disabled', 'expired', 'throttled', 'unavailable'] as const;
export type FailureReason = (typeof reasons)[number];

/** Counts requests without a valid key. The reason is for operators: the response does not contain it. */
export function createFailureMetric(metrics: Metrics): (reason: FailureReason) => void {
  const counter = metrics.counter('koine_auth_failures_total', 'Requests without a valid key, by reason.', ['reason']);
  const bound = Object.fromEntries(reasons.map((reason) => [reason, counter.bind([reason])]));
  return (reason) => bound[reason]?.(1);
}
