import type { LimitUnit, Metrics } from '../../core/index.ts';

/** Where a decision was made. */
export type Place = 'redis' | 'local';

/** Adds so many. */
type Count = (more: number) => void;

/** The counts of one limit. */
export interface LimitMeter {
  readonly allow: Readonly<Record<Place, Count>>;
  readonly deny: Readonly<Record<Place, Count>>;
  /** A shadow limit would have refused. */
  readonly shadow: Readonly<Record<Place, Count>>;
  /** Tokens between what was reserved and what was used; of limits of tokens only. */
  readonly reservationError?: (tokens: number) => void;
}

export type StoreOperation = 'reserve' | 'settle' | 'refresh' | 'peek' | 'probe';
/** `dropped`: a settlement that waited for the store, until newer ones took its place. */
export type StoreErrorKind = 'timeout' | 'down' | 'script' | 'dropped';

export interface Meters {
  /** The same for the same label: bound once. */
  of(label: string, unit: LimitUnit): LimitMeter;
  /** Tells how much of a budget is spent, as a share of it. */
  budget(label: string): (share: number) => void;
  storeError(operation: StoreOperation, kind: StoreErrorKind): void;
  degraded(now: boolean): void;
}

const tokenUnits: ReadonlySet<LimitUnit> = new Set(['tokens', 'inputTokens', 'outputTokens']);

/** From 1 to 16,777,216 tokens. */
const tokenBuckets: readonly number[] = Array.from({ length: 13 }, (_, index) => 4 ** index);

export function createMeters(metrics: Metrics): Meters {
  const decisions = metrics.counter(
    'koine_ratelimit_decisions_total',
    'Decisions of limits: a refusal counts for the limit that refused.',
    ['limit', 'unit', 'decision', 'store'],
  );
  const errors = metrics.histogram(
    'koine_ratelimit_reservation_error_tokens',
    'Difference of reserved and used tokens.',
    ['limit'],
    tokenBuckets,
  );
  const storeErrors = metrics.counter('koine_ratelimit_store_errors_total', 'Failures of the store of limits.', [
    'op',
    'kind',
  ]);
  const budgets = metrics.gauge(
    'koine_budget_used_ratio',
    'Spent share of a budget that an organization or a project has.',
    ['budget'],
    'max',
  );
  const degraded = metrics
    .gauge(
      'koine_ratelimit_degraded',
      '1 while hosts count by themselves because the shared store cannot be asked.',
      [],
      'max',
    )
    .bind([]);
  const known = new Map<string, LimitMeter>();
  const create = (label: string, unit: LimitUnit): LimitMeter => {
    const bind = (decision: string, store: Place): Count => decisions.bind([label, unit, decision, store]);
    const places = (decision: string): Readonly<Record<Place, Count>> => ({
      redis: bind(decision, 'redis'),
      local: bind(decision, 'local'),
    });
    return {
      allow: places('allow'),
      deny: places('deny'),
      shadow: places('shadow'),
      ...(tokenUnits.has(unit) ? { reservationError: errors.bind([label]) } : {}),
    };
  };
  return {
    of: (label, unit) => {
      const meter = known.get(label) ?? create(label, unit);
      known.set(label, meter);
      return meter;
    },
    budget: (label) => budgets.bind([label]),
    storeError: (operation, kind) => storeErrors.bind([operation, kind])(1),
    degraded: (now) => degraded(now ? 1 : 0),
  };
}
