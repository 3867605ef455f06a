import {
  invalidRequest,
  type CallerScope,
  type Headers,
  type Limit,
  type PrimaryServices,
} from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { createBucket, scaleBucket } from './rules/buckets.ts';
import { createCalendar, type Calendar } from './rules/calendar.ts';
import { describeAmount, describeWindow } from './rules/describe-limit.ts';
import type { RateLimitOptions } from './schema.ts';
import { BaselineStore, type ReadBaseline } from './store/baseline-store.ts';
import { createRedisStore } from './store/redis-store.ts';
import type { Bucket, BucketState, Charge, LimitStore } from './store/store.ts';

/** Limits in one response. */
const MAX_LISTED = 500;

/** A limit of a key, project or organization, and the bucket that counts it. */
interface ListedLimit {
  readonly scope: CallerScope;
  readonly limit: Limit;
  readonly bucket: Bucket;
}

/** Shared limits come first, so that they are never cut off. */
const order = { organization: 0, project: 1, key: 2 } as const;

const listScopes = (scopes: readonly CallerScope[]): readonly ListedLimit[] => {
  const listed = new Map<string, ListedLimit>();
  for (const scope of scopes) {
    for (const limit of scope.limits) {
      const bucket = createBucket(scope, limit);
      const name = `${scope.path[0] ?? ''}\n${bucket.key}`;
      const known = listed.get(name);
      if (known === undefined || bucket.limit < known.bucket.limit) listed.set(name, { scope, limit, bucket });
    }
  }
  return [...listed.values()].sort((one, other) => order[one.scope.scope] - order[other.scope.scope]);
};

const describeLimit = (
  { scope: { scope, path }, limit: { unit, amount, per, burst, soft, models, each, enforce }, bucket }: ListedLimit,
  state: BucketState | undefined,
): object => {
  const [organization, project, key] = path;
  const read = (count: number): number => Number(describeAmount(unit, count));
  return omitUndefined({
    scope,
    organization,
    project,
    key,
    unit,
    amount: read(amount),
    per: per === undefined ? undefined : describeWindow(per),
    burst,
    soft,
    models,
    each,
    enforce,
    limit: read(bucket.limit),
    spent: state?.spent === undefined ? undefined : read(state.spent),
    used: state === undefined ? undefined : read(bucket.limit - state.remaining),
    resetMs: state === undefined ? undefined : Math.ceil(state.resetMs),
  });
};

const filters = ['organization', 'project'] as const;
const checkQuery = (query: Headers): void => {
  const unknown = Object.keys(query).find((name) => !filters.some((known) => known === name));
  if (unknown !== undefined)
    throw invalidRequest(unknown.slice(0, 64), `Unknown parameter. The parameters are ${filters.join(', ')}.`);
};

const peek = async (
  store: LimitStore,
  listed: readonly ListedLimit[],
  calendar: Calendar,
  now: number,
): Promise<ReadonlyMap<ListedLimit, BucketState>> => {
  const chargeOf = ({ bucket, limit: { per } }: ListedLimit): Charge => ({
    bucket,
    amount: 0,
    ...(typeof per === 'string' ? { bounds: calendar.bounds(per, now) } : {}),
  });
  // What each user or tag has used is not listed: there could be any number of them.
  const shared = listed.filter(({ limit }) => limit.each === undefined);
  const byTenant = Map.groupBy(shared, ({ scope }) => scope.path[0] ?? '');
  const states = new Map<ListedLimit, BucketState>();
  const peekTenant = async ([tenant, its]: readonly [string, readonly ListedLimit[]]): Promise<void> => {
    const found = await store.peek(tenant, its.map(chargeOf));
    for (const [index, one] of its.entries()) {
      const state = found[index];
      if (state !== undefined) states.set(one, state);
    }
  };
  await Promise.all([...byTenant].map(peekTenant));
  return states;
};

/**
 * Lists every limit of the callers, and how much of it is used: docs/govern/limits.md. Changes nothing.
 * @param local the counts of this host, which apply without Redis and while it is not available
 */
export function createListLimits(
  {
    timeZone,
    parts,
    factor,
  }: Pick<RateLimitOptions, 'timeZone' | 'factor'> & {
    /** Among how many hosts limits are divided. */
    parts(): number;
  },
  { callers, tenancy, redis, clock }: PrimaryServices,
  local: LimitStore,
  readBaseline: ReadBaseline,
): (query: Headers) => Promise<object> {
  const calendar = createCalendar(timeZone);
  const shared = redis === undefined ? undefined : new BaselineStore(createRedisStore(redis), readBaseline);

  const describe = async (
    listed: readonly ListedLimit[],
  ): Promise<{ readonly store: string; readonly limits: readonly object[] }> => {
    if (shared !== undefined) {
      try {
        const states = await peek(shared, listed, calendar, clock.now());
        return { store: 'redis', limits: listed.map((each) => describeLimit(each, states.get(each))) };
      } catch {
        // Without Redis this host decides alone, with its part of each limit.
      }
    }
    const localListed =
      shared === undefined
        ? listed
        : listed.map((each) => ({ ...each, bucket: scaleBucket(each.bucket, factor / parts()) }));
    const states = await peek(local, localListed, calendar, clock.now());
    return { store: 'local', limits: localListed.map((each) => describeLimit(each, states.get(each))) };
  };

  return async (query) => {
    checkQuery(query);
    const known = await callers({ ...query, limit: MAX_LISTED });
    const listed = listScopes(known.flatMap((caller) => tenancy.scopes(caller)));
    return {
      ...(await describe(listed.slice(0, MAX_LISTED))),
      more: listed.length > MAX_LISTED || known.length === MAX_LISTED,
    };
  };
}
