import type { Bucket, BucketKind } from '../store.ts';
import { Calendar } from './calendar.ts';
import { Leases } from './leases.ts';
import { SlidingWindow } from './sliding-window.ts';
import type { Moment, Tally } from './tally.ts';
import { TokenBucket } from './token-bucket.ts';

const kinds: { readonly [Kind in BucketKind]: new (bucket: Bucket) => Tally } = {
  window: SlidingWindow,
  'token-bucket': TokenBucket,
  calendar: Calendar,
  leases: Leases,
};

type Bucketed = Map<string, Tally>;

/** Steps of the walk per new bucket: more than one, so that it gets round. */
const STEPS_PER_NEW = 2;

/** What has been counted in each bucket, by tenant and key. Idle buckets are found by a walk that goes on a few steps at a time. */
export class Tallies {
  private readonly byTenant = new Map<string, Bucketed>();
  private walk = this.entries();
  /** Steps that the walk owes for the buckets that came since its last one. */
  private owed = 0;

  /** A bucket that has counted nothing has a fresh one, which is kept only by `keep`. */
  of(tenant: string, bucket: Bucket): Tally {
    return this.byTenant.get(tenant)?.get(bucket.key) ?? new kinds[bucket.kind](bucket);
  }

  keep(tenant: string, bucket: Bucket, tally: Tally): void {
    let known = this.byTenant.get(tenant);
    if (known === undefined) this.byTenant.set(tenant, (known = new Map()));
    if (known.get(bucket.key) === tally) return;
    known.set(bucket.key, tally);
    this.owed += STEPS_PER_NEW;
  }

  /** Looks at a few buckets, and forgets those that are idle. */
  sweep(now: Moment): void {
    const steps = this.owed + 1;
    this.owed = 0;
    for (let step = 0; step < steps; step += 1) {
      const { value, done } = this.walk.next();
      if (done === true) {
        this.walk = this.entries();
        return;
      }
      const [tenant, key, tally] = value;
      if (!tally.isIdle(now)) continue;
      const bucketed = this.byTenant.get(tenant);
      bucketed?.delete(key);
      if (bucketed?.size === 0) this.byTenant.delete(tenant);
    }
  }

  *entries(): Generator<readonly [tenant: string, key: string, tally: Tally], void> {
    for (const [tenant, bucketed] of this.byTenant) for (const [key, tally] of bucketed) yield [tenant, key, tally];
  }
}
