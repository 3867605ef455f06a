import { hash } from 'node:crypto';
import type { CallerScope, Exchange, Limit } from '../../../core/api/index.ts';
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
  const { unit, per = '', models, each, enforce } = limit;
  const parts = [
    scope,
    path.map(encodeName).join('/'),
    unit,
    per,
    kindOf(limit),
    [...new Set(models)].sort().map(encodeName).join(','),
  ];
  return `${parts.join(';')}${enforce ? '' : ';shadow'}${each === undefined ? '' : `;${each}`}`;
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

const TAG = 'tag:';

/** The value that a limit for each user or tag counts for. undefined: the limit does not apply to the request. */
export const subjectOf = ({ each }: Limit, { attribution }: Pick<Exchange, 'attribution'>): string | undefined => {
  if (each === undefined || attribution === undefined) return undefined;
  if (each === 'user') return attribution.user;
  const { tags = {} } = attribution;
  const name = each.slice(TAG.length);
  return Object.hasOwn(tags, name) ? tags[name] : undefined;
};

/** The bucket of one user or tag. Its key has a digest, which is short, and does not show the name. */
export function nameBucket(bucket: Bucket, { each = 'user' }: Limit, subject: string): Bucket {
  const { account, kind, key } = bucket;
  const owner = each === 'user' ? { user: subject } : { tag: { name: each.slice(TAG.length), value: subject } };
  return {
    ...bucket,
    key: `${key};${hash('sha256', subject).slice(0, 32)}`,
    // The leases of running requests end with them, and must not be forgotten before.
    ...(kind === 'leases' ? {} : { isNamed: true }),
    ...(account === undefined ? {} : { account: { ...account, ...owner } }),
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
