import type { LimitUnit, Metrics } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';

/** Which store made a decision, as a metric label. */
export type StoreName = 'redis' | 'local';

type Add = (amount: number) => void;

/** The counters of one limit. */
export interface LimitMeter {
  readonly allow: Readonly<Record<StoreName, Add>>;
  readonly deny: Readonly<Record<StoreName, Add>>;
  /** A shadow limit would have refused. */
  readonly shadow: Readonly<Record<StoreName, Add>>;
  /** The difference between reserved and used tokens. Only for limits of tokens. */
  readonly reservationError?: (tokens: number) => void;
}

export type StoreOperation =
  | 'reserve'
  | 'settle'
  | 'refresh'
  | 'peek'
  | 'renew'
  | 'debit'
  | 'correct'
  | 'grant'
  | 'probe';
/** `dropped`: a settlement that waited for the store, until too many newer ones did. */
export type StoreErrorKind = 'timeout' | 'down' | 'script' | 'dropped';

export type Meters = ReturnType<typeof createMeters>;

const tokenUnits: ReadonlySet<LimitUnit> = new Set(['tokens', 'inputTokens', 'outputTokens']);

/** From 1 to 16,777,216 tokens. */
const tokenBuckets: readonly number[] = Array.from({ length: 13 }, (_, index) => 4 ** index);

/** Registers the metrics in the order in which GET /metrics shows them. */
const registerMetrics = (metrics: Metrics) => ({
  decisions: metrics.counter(
    'koine_ratelimit_decisions_total',
    'Decisions of limits. A refusal counts for the limit that refused.',
    ['limit', 'unit', 'decision', 'store'],
  ),
  errors: metrics.histogram(
    'koine_ratelimit_reservation_error_tokens',
    'Difference of reserved and used tokens.',
    ['limit'],
    tokenBuckets,
  ),
  storeErrors: metrics.counter('koine_ratelimit_store_errors_total', 'Failures of the store of limits.', [
    'op',
    'kind',
  ]),
  budgets: metrics.gauge(
    'koine_budget_used_ratio',
    'Spent share of a budget of an organization or a project.',
    ['budget'],
    'max',
  ),
  degraded: metrics.gauge(
    'koine_ratelimit_degraded',
    '1 while hosts count alone because the shared store is not available.',
    [],
    'max',
  ),
});

export function createMeters(metrics: Metrics) {
  const { decisions, errors, storeErrors, budgets, degraded } = registerMetrics(metrics);
  const setDegraded = degraded.bind([]);
  const known = new Map<string, LimitMeter>();
  const create = (label: string, unit: LimitUnit): LimitMeter => {
    const byStore = (decision: string): Readonly<Record<StoreName, Add>> => ({
      redis: decisions.bind([label, unit, decision, 'redis']),
      local: decisions.bind([label, unit, decision, 'local']),
    });
    return omitUndefined({
      allow: byStore('allow'),
      deny: byStore('deny'),
      shadow: byStore('shadow'),
      reservationError: tokenUnits.has(unit) ? errors.bind([label]) : undefined,
    });
  };
  return {
    /** Creates the meter of a label once. */
    of: (label: string, unit: LimitUnit): LimitMeter => {
      const meter = known.get(label) ?? create(label, unit);
      known.set(label, meter);
      return meter;
    },
    /** Returns a function that sets the spent share of a budget. */
    budget: (label: string): ((share: number) => void) => budgets.bind([label]),
    storeError: (operation: StoreOperation, kind: StoreErrorKind): void => storeErrors.bind([operation, kind])(1),
    degraded: (isDegraded: boolean): void => setDegraded(isDegraded ? 1 : 0),
  };
}
