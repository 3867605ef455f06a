import type { Charge } from '../store.ts';
import type { Moment, Tally } from './tally.ts';

/** How long a window that is over is remembered: for clocks that are set back, and late settlements. */
const LINGER_MS = 3_600_000;

interface Span {
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** The one of the three windows in which the clock stands; the nearest, where it stands in none. */
const spanOf = ({ bounds = [] }: Charge, { wall }: Moment): Span => {
  const [before = 0, present = 0, after = 0, end = 0] = bounds;
  if (wall < present) return { start: before, end: present };
  return wall < after ? { start: present, end: after } : { start: after, end };
};

interface Count {
  readonly end: number;
  used: number;
}

/** A count per calendar window, by the wall clock. A clock that is set back finds the window that it left. */
export class Calendar implements Tally {
  private readonly counts = new Map<number, Count>();

  waitMs(charge: Charge, now: Moment): number {
    return charge.amount <= this.remaining(charge, now) ? 0 : Math.max(1, this.resetMs(charge, now));
  }

  remaining(charge: Charge, now: Moment): number {
    return charge.bucket.limit - (this.counts.get(spanOf(charge, now).start)?.used ?? 0);
  }

  resetMs(charge: Charge, now: Moment): number {
    return Math.max(0, spanOf(charge, now).end - now.wall);
  }

  mark(charge: Charge, now: Moment): number {
    return spanOf(charge, now).start;
  }

  take(charge: Charge, now: Moment): void {
    const { start, end } = spanOf(charge, now);
    if (!this.counts.has(start)) this.forget(now);
    this.add(start, end, charge.amount);
  }

  /** In the window that took it, also when the next has begun. */
  settle(charge: Charge, mark: number, actual: number): void {
    const end = charge.bounds?.find((bound) => bound > mark) ?? mark;
    this.add(mark, end, actual - charge.amount);
  }

  isIdle(now: Moment): boolean {
    for (const { end, used } of this.counts.values()) if (used > 0 && now.wall < end + LINGER_MS) return false;
    return true;
  }

  private forget(now: Moment): void {
    for (const [start, { end }] of this.counts) if (now.wall >= end + LINGER_MS) this.counts.delete(start);
  }

  private add(start: number, end: number, amount: number): void {
    const count = this.counts.get(start);
    if (count !== undefined) count.used = Math.max(0, count.used + amount);
    else if (amount > 0) this.counts.set(start, { end, used: amount });
  }
}
