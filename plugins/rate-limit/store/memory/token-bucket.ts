import { LONGEST_REFILL_MS, type Charge } from '../store.ts';
import type { Moment, Tally } from './tally.ts';

const refillMs = (missing: number, rate: number): number => Math.min(LONGEST_REFILL_MS, Math.ceil(missing / rate));

/** Holds up to `limit`, and refills continuously by `rate` in `per`. */
export class TokenBucket implements Tally {
  /** What is missing, times `per`: `rate` comes back per millisecond, and no fraction is lost by rounding. */
  private missing = 0;
  private at = 0;
  private fullAt = 0;

  waitMs(charge: Charge, now: Moment): number {
    const { limit, per, rate } = charge.bucket;
    return Math.max(0, refillMs(this.missingAt(charge, now) + (charge.amount - limit) * per, rate));
  }

  remaining(charge: Charge, now: Moment): number {
    return charge.bucket.limit - Math.ceil(this.missingAt(charge, now) / charge.bucket.per);
  }

  resetMs(charge: Charge, now: Moment): number {
    return refillMs(this.missingAt(charge, now), charge.bucket.rate);
  }

  mark(): number {
    return 0;
  }

  take(charge: Charge, now: Moment): void {
    this.change(charge, charge.amount, now);
  }

  settle(charge: Charge, _mark: number, actual: number, now: Moment): void {
    this.change(charge, actual - charge.amount, now);
  }

  isIdle(now: Moment): boolean {
    return now.monotonic >= this.fullAt;
  }

  private missingAt({ bucket }: Charge, now: Moment): number {
    return Math.max(0, this.missing - (now.monotonic - this.at) * bucket.rate);
  }

  /** What is given back to a bucket that has refilled meanwhile is lost. */
  private change(charge: Charge, amount: number, now: Moment): void {
    this.missing = Math.max(0, this.missingAt(charge, now) + amount * charge.bucket.per);
    this.at = now.monotonic;
    this.fullAt = now.monotonic + this.missing / charge.bucket.rate;
  }
}
