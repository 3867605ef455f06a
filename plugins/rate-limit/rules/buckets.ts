import type { CallerScope, Limit } from '../../../core/api/index.ts';
import type { Bucket, BucketKind } from '../store/store.ts';

const kindOf = ({ unit, burst, per }: Limit): BucketKind => {
  if (unit === 'concurrent') return 'leases';
  if (typeof per === 'string') return 'calendar';
  return burst === undefined ? 'window' : 'token-bucket';
};

/** Encodes a name for a key, so that the path `a/b` differs from `a`, `b`. */
const encodeName = (name: string): string => encodeURIComponent(name.toWellFormed());

/** The key does not contain the amount: counts are kept when an operator changes it. */
const keyOf = ({ scope, path }: CallerScope, limit: Limit): string => {
  const { unit, per = '', models, enforce } = limit;
  const parts = [
    scope,
    path.map(encodeName).join('/'),
    unit,
    per,
    kindOf(limit),
    [...new Set(models)].sort().map(encodeName).join(','),
  ];
  return `${parts.join(';')}${enforce ? '' : ';shadow'}`;
};

/** The bucket of one limit. */
export function createBucket(scope: CallerScope, limit: Limit): Bucket {
  const { unit, amount, per, burst, models, enforce } = limit;
  return {
    key: keyOf(scope, limit),
    kind: kindOf(limit),
    limit: burst ?? amount,
    per: typeof per === 'number' ? per : 0,
    rate: amount,
    enforce,
    ...(unit === 'cost' ? { account: { path: scope.path, models, share: 1 } } : {}),
  };
}

/** The part of a bucket that one host can use alone: at least 1. */
export function scaleBucket(bucket: Bucket, share: number): Bucket {
  const scale = (amount: number): number => Math.max(1, Math.floor(amount * share));
  const { account } = bucket;
  return {
    ...bucket,
    limit: scale(bucket.limit),
    rate: scale(bucket.rate),
    ...(account === undefined ? {} : { account: { ...account, share } }),
  };
}
