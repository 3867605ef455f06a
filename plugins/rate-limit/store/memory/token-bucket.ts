import { LONGEST_REFILL_MS, type Charge } from '../store.ts';
import type { Arena } from '../../../../core/api/internal.ts';
import { FIELDS, PER } from './entry.ts';
import type { Moment, Taken, Tally } from './tally.ts';

const refillMs = (missing: number, rate: number): number => Math.min(LONGEST_REFILL_MS, Math.ceil(missing / rate));

/** What is missing, times `per`: `rate` comes back per millisecond, and no fraction is lost by rounding. */
const MISSING = FIELDS;
/** When that was, when the bucket is full again, and the rate of what was taken last. */
const [AT, FULL_AT, RATE] = [MISSING + 1, MISSING + 2, MISSING + 3];

/** Holds up to `limit`, and refills continuously by `rate` in `per`. */
export class TokenBucket implements Tally {
  readonly size = RATE + 1;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  waitMs(at: number, { bucket: { limit, per, rate }, amount }: Charge, now: Moment): number {
    return Math.max(0, refillMs(this.#missing(at, rate, now) + (amount - limit) * per, rate));
  }

  remaining(at: number, { bucket: { limit, per, rate } }: Charge, now: Moment): number {
    return limit - Math.ceil(this.#missing(at, rate, now) / per);
  }

  resetMs(at: number, { bucket: { rate } }: Charge, now: Moment): number {
    return refillMs(this.#missing(at, rate, now), rate);
  }

  mark(): number {
    return 0;
  }

  take(at: number, { bucket: { rate }, amount }: Charge, now: Moment): void {
    this.#change(at, amount, rate, now);
  }

  settle(at: number, { bucket, amount }: Taken, _mark: number, actual: number, now: Moment): void {
    this.#change(at, actual - amount, bucket?.rate ?? this.#arena.get(at + RATE), now);
  }

  isIdle(at: number, now: Moment): boolean {
    return now.monotonic >= this.#arena.get(at + FULL_AT);
  }

  #missing(at: number, rate: number, now: Moment): number {
    return Math.max(0, this.#arena.get(at + MISSING) - (now.monotonic - this.#arena.get(at + AT)) * rate);
  }

  /** What is given back to a bucket that has refilled meanwhile is lost. */
  #change(at: number, amount: number, rate: number, now: Moment): void {
    const arena = this.#arena;
    const missing = Math.max(0, this.#missing(at, rate, now) + amount * arena.get(at + PER));
    arena.put(at + MISSING, missing);
    arena.put(at + AT, now.monotonic);
    arena.put(at + FULL_AT, now.monotonic + missing / rate);
    arena.put(at + RATE, rate);
  }
}
