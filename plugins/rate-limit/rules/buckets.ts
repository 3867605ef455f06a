import type { CallerScope, Limit } from '../../../core/index.ts';
import type { Bucket, BucketKind } from '../store/store.ts';

const kindOf = ({ unit, burst, per }: Limit): BucketKind => {
  if (unit === 'concurrent') return 'leases';
  if (typeof per === 'string') return 'calendar';
  return burst === undefined ? 'window' : 'token-bucket';
};

/** A name as it stands in a key: `a/b` and `a` then `b` stay two. */
const encodeName = (name: string): string => encodeURIComponent(name.toWellFormed());

/** The place of a limit, not its amount: what is counted stays counted when an operator changes the figure. */
const keyOf = ({ scope, path }: CallerScope, limit: Limit): string => {
  const { unit, per = '', models, enforce } = limit;
  const words = [
    scope,
    path.map(encodeName).join('/'),
    unit,
    per,
    kindOf(limit),
    [...new Set(models)].sort().map(encodeName).join(','),
  ];
  return `${words.join(';')}${enforce ? '' : ';shadow'}`;
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

/** The same bucket with the part of it that one host may give away by itself: at least one, never all that there is. */
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
