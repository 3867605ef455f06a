import { invalidRequest, type CallerScope, type Headers, type Limit, type PrimaryServices } from '../../core/index.ts';
import { createBucket, scaleBucket } from './rules/buckets.ts';
import { createCalendar } from './rules/calendar.ts';
import { describeAmount, describeWindow } from './rules/describe-limit.ts';
import type { RateLimitOptions } from './schema.ts';
import { createBaselineStore, type ReadBaseline } from './store/baseline-store.ts';
import { createRedisStore } from './store/redis-store.ts';
import type { Bucket, BucketState, Charge, LimitStore } from './store/store.ts';

/** More of them nobody looks at at once. */
const MOST = 500;

/** A limit of somebody, and where it is counted. */
interface Held {
  readonly scope: CallerScope;
  readonly limit: Limit;
  readonly bucket: Bucket;
}

/** What many share comes first, so that it is never cut off. */
const order = { organization: 0, project: 1, key: 2 } as const;

const listHeld = (scopes: readonly CallerScope[]): readonly Held[] => {
  const held = new Map<string, Held>();
  for (const scope of scopes) {
    for (const limit of scope.limits) {
      const bucket = createBucket(scope, limit);
      const place = `${scope.path[0] ?? ''}\n${bucket.key}`;
      const known = held.get(place);
      if (known === undefined || bucket.limit < known.bucket.limit) held.set(place, { scope, limit, bucket });
    }
  }
  return [...held.values()].sort((one, other) => order[one.scope.scope] - order[other.scope.scope]);
};

const describeHeld = (
  { scope: { scope, path }, limit: { unit, amount, per, burst, soft, models, enforce }, bucket }: Held,
  state: BucketState | undefined,
): object => {
  const [organization, project, key] = path;
  const read = (count: number): number => Number(describeAmount(unit, count));
  return {
    scope,
    organization,
    ...(project === undefined ? {} : { project }),
    ...(key === undefined ? {} : { key }),
    unit,
    amount: read(amount),
    ...(per === undefined ? {} : { per: describeWindow(per) }),
    ...(burst === undefined ? {} : { burst }),
    ...(soft === undefined ? {} : { soft }),
    models,
    enforce,
    limit: read(bucket.limit),
    ...(state?.spent === undefined ? {} : { spent: read(state.spent) }),
    ...(state === undefined ? {} : { used: read(bucket.limit - state.remaining), resetMs: Math.ceil(state.resetMs) }),
  };
};

const filters = ['organization', 'project'] as const;
const checkQuery = (query: Headers): void => {
  const unknown = Object.keys(query).find((name) => !filters.some((known) => known === name));
  if (unknown !== undefined)
    throw invalidRequest(unknown.slice(0, 64), `There is no such parameter here; there are ${filters.join(', ')}.`);
};

/**
 * Every limit of those who may call, and how full it is: docs/limits.md. Changes nothing.
 * @param local the count of this host, which holds where there is no Redis and while it cannot be asked
 */
export function createListLimits(
  { timeZone, replicas, factor }: Pick<RateLimitOptions, 'timeZone' | 'replicas' | 'factor'>,
  { callers, tenancy, redis, clock }: PrimaryServices,
  local: LimitStore,
  readBaseline: ReadBaseline,
): (query: Headers) => Promise<object> {
  const calendar = createCalendar(timeZone);
  const shared = redis === undefined ? undefined : createBaselineStore(createRedisStore(redis), readBaseline);

  const peek = async (store: LimitStore, held: readonly Held[]): Promise<ReadonlyMap<Held, BucketState>> => {
    const now = clock.now();
    const chargeOf = ({ bucket, limit: { per } }: Held): Charge => ({
      bucket,
      amount: 0,
      ...(typeof per === 'string' ? { bounds: calendar.bounds(per, now) } : {}),
    });
    const byTenant = Map.groupBy(held, ({ scope }) => scope.path[0] ?? '');
    const states = await Promise.all(
      [...byTenant].map(async ([tenant, its]) =>
        (await store.peek(tenant, its.map(chargeOf))).map((state, index) => [its[index], state] as const),
      ),
    );
    return new Map(states.flat().flatMap(([one, state]) => (one === undefined ? [] : [[one, state] as const])));
  };
  const look = async (
    held: readonly Held[],
  ): Promise<{ readonly store: string; readonly limits: readonly object[] }> => {
    if (shared !== undefined) {
      try {
        const states = await peek(shared, held);
        return { store: 'redis', limits: held.map((each) => describeHeld(each, states.get(each))) };
      } catch {
        // This host decides by itself now, with its own part of each limit.
      }
    }
    const here =
      shared === undefined
        ? held
        : held.map((each) => ({ ...each, bucket: scaleBucket(each.bucket, factor / replicas) }));
    const states = await peek(local, here);
    return { store: 'local', limits: here.map((each) => describeHeld(each, states.get(each))) };
  };

  return async (query) => {
    checkQuery(query);
    const known = await callers({ ...query, limit: MOST });
    const held = listHeld(known.flatMap((caller) => tenancy.scopes(caller)));
    return { ...(await look(held.slice(0, MOST))), more: held.length > MOST || known.length === MOST };
  };
}
