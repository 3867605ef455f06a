import type { Clock } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { createPeekCharges } from '../admission/charges.ts';
import { hasRefused, type RefusingBudgets } from '../budgets/announce.ts';
import type { Calendar } from '../rules/calendar.ts';
import { scaleBucket } from '../rules/buckets.ts';
import type { BucketState, LimitStore } from '../store/store.ts';
import type { ListedLimit, MeasuredLimit } from './listed-limit.ts';

/** Where the counts are. */
export interface Counts {
  /** Absent without Redis. */
  readonly shared?: LimitStore;
  /** The counts of this host, which apply without Redis and while it is not available. */
  readonly local: LimitStore;
  /** The part of each limit that this host has while Redis is not available. */
  readonly part: () => number;
  /** The refusals of budgets are among them. */
  readonly refusing: RefusingBudgets;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** A script of Redis reads them, and other requests wait for it. */
const MOST_IN_SCRIPT = 500;

const peek = async (
  store: LimitStore,
  listed: readonly ListedLimit[],
  { calendar, clock }: Counts,
): Promise<ReadonlyMap<ListedLimit, BucketState>> => {
  const now = clock.now();
  const shared = listed.filter(({ limit }) => limit.each === undefined);
  const byTenant = Map.groupBy(shared, ({ scope }) => scope.path[0] ?? '');
  const states = new Map<ListedLimit, BucketState>();
  const peekTenant = async ([tenant, all]: readonly [string, readonly ListedLimit[]]): Promise<void> => {
    for (let start = 0; start < all.length; start += MOST_IN_SCRIPT) {
      const its = all.slice(start, start + MOST_IN_SCRIPT);
      const found = await store.peek(tenant, createPeekCharges(its, calendar, now));
      for (const [index, one] of its.entries()) {
        const state = found[index];
        if (state !== undefined) states.set(one, state);
      }
    }
  };
  await Promise.all([...byTenant].map(peekTenant));
  return states;
};

/** Reads how much of limits is used, and changes nothing. */
export class Measure {
  readonly #counts: Counts;
  #store: 'redis' | 'local';

  constructor(counts: Counts) {
    this.#counts = counts;
    this.#store = counts.shared === undefined ? 'local' : 'redis';
  }

  /** `local` once Redis has not responded. */
  get store(): 'redis' | 'local' {
    return this.#store;
  }

  async read(listed: readonly ListedLimit[]): Promise<readonly MeasuredLimit[]> {
    const { shared, local, part } = this.#counts;
    if (shared !== undefined && this.#store === 'redis')
      try {
        return this.#describe(listed, await peek(shared, listed, this.#counts));
      } catch {
        // Without Redis this host decides alone, with its part of each limit.
        this.#store = 'local';
      }
    const share = part();
    const own =
      shared === undefined ? listed : listed.map((each) => ({ ...each, bucket: scaleBucket(each.bucket, share) }));
    return this.#describe(own, await peek(local, own, this.#counts));
  }

  #describe(listed: readonly ListedLimit[], states: ReadonlyMap<ListedLimit, BucketState>): readonly MeasuredLimit[] {
    const { refusing, clock } = this.#counts;
    return listed.map((each) =>
      omitUndefined({
        ...each,
        state: states.get(each),
        refuses: hasRefused(refusing, each.scope.path[0] ?? '', each.bucket.key, clock.now()),
      }),
    );
  }
}
