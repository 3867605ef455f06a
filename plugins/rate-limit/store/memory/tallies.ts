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

type ByKey = Map<string, Tally>;

/** Sweep steps per new bucket: more than one, so that the sweep gets through all of them. */
const STEPS_PER_NEW = 2;

/** Buckets of users and tags that are kept. Clients can name any number of them. */
const MAX_NAMED = 50_000;

/** The tallies by tenant and key. An incremental sweep drops those that are idle. */
export class Tallies {
  private readonly byTenant = new Map<string, ByKey>();
  private sweepPosition = this.entries();
  /** Those of users and tags, the least recently used first. */
  private readonly named = new Map<Tally, readonly [tenant: string, key: string]>();
  private readonly maxNamed: number;
  /** Sweep steps that are due for buckets added since the last one. */
  private owed = 0;

  constructor(maxNamed = MAX_NAMED) {
    this.maxNamed = maxNamed;
  }

  /** A bucket that has counted nothing gets a new tally, which is stored only by `keep`. */
  of(tenant: string, bucket: Bucket): Tally {
    return this.byTenant.get(tenant)?.get(bucket.key) ?? new kinds[bucket.kind](bucket);
  }

  keep(tenant: string, bucket: Bucket, tally: Tally): void {
    let known = this.byTenant.get(tenant);
    if (known === undefined) this.byTenant.set(tenant, (known = new Map()));
    if (bucket.isNamed === true) this.keepNamed(tenant, bucket.key, tally);
    if (known.get(bucket.key) === tally) return;
    known.set(bucket.key, tally);
    this.owed += STEPS_PER_NEW;
  }

  /** Checks a few buckets, and drops those that are idle. */
  sweep(now: Moment): void {
    const steps = this.owed + 1;
    this.owed = 0;
    for (let step = 0; step < steps; step += 1) {
      const { value, done } = this.sweepPosition.next();
      if (done === true) {
        this.sweepPosition = this.entries();
        return;
      }
      const [tenant, key, tally] = value;
      if (!tally.isIdle(now)) continue;
      this.drop(tenant, key, tally);
    }
  }

  *entries(): Generator<readonly [tenant: string, key: string, tally: Tally], void> {
    for (const [tenant, byKey] of this.byTenant) for (const [key, tally] of byKey) yield [tenant, key, tally];
  }

  private keepNamed(tenant: string, key: string, tally: Tally): void {
    this.named.delete(tally);
    this.named.set(tally, [tenant, key]);
    const oldest = this.named.size > this.maxNamed ? this.named.entries().next().value : undefined;
    if (oldest !== undefined) this.drop(...oldest[1], oldest[0]);
  }

  private drop(tenant: string, key: string, tally: Tally): void {
    this.named.delete(tally);
    const byKey = this.byTenant.get(tenant);
    byKey?.delete(key);
    if (byKey?.size === 0) this.byTenant.delete(tenant);
  }
}
