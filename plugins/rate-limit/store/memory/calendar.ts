import type { Account, Charge, Unopened } from '../store.ts';
import type { Moment, OpenedWindow, Tally } from './tally.ts';

/** How long a window that is over is remembered: for clocks that are set back, and late settlements. */
const LINGER_MS = 3_600_000;

/**
 * Where the window begins in which the clock stands, among the bounds of the charge: one of three windows, the nearest where it stands in none.
 * Its end is the next bound.
 */
const windowIndex = ({ bounds = [] }: Charge, { wall }: Moment): number => {
  if (wall < (bounds[1] ?? 0)) return 0;
  return wall < (bounds[2] ?? 0) ? 1 : 2;
};
const startOf = (charge: Charge, now: Moment): number => charge.bounds?.[windowIndex(charge, now)] ?? 0;
const endOf = (charge: Charge, now: Moment): number => charge.bounds?.[windowIndex(charge, now) + 1] ?? 0;

interface Count {
  readonly end: number;
  /** When it was begun, in unix milliseconds. */
  readonly begun: number;
  /** What is spent, and what is reserved. */
  used: number;
  held: number;
  /** What had been spent before is in it. */
  isOpened: boolean;
  /** As the ledger told it. */
  baseline?: { readonly account: Account; readonly amount: number };
}

/** A count per calendar window, by the wall clock. A clock that is set back finds the window that it left. */
export class Calendar implements Tally {
  private readonly counts = new Map<number, Count>();

  waitMs(charge: Charge, now: Moment): number {
    return charge.amount <= this.remaining(charge, now) ? 0 : Math.max(1, this.resetMs(charge, now));
  }

  remaining(charge: Charge, now: Moment): number {
    return charge.bucket.limit - (this.counts.get(this.mark(charge, now))?.used ?? 0);
  }

  resetMs(charge: Charge, now: Moment): number {
    return Math.max(0, endOf(charge, now) - now.wall);
  }

  mark(charge: Charge, now: Moment): number {
    return startOf(charge, now);
  }

  take(charge: Charge, now: Moment): void {
    const count = this.countOf(charge, now);
    count.used += charge.amount;
    count.held += charge.amount;
  }

  /** In the window that took it, also when the next has begun. */
  settle(charge: Charge, mark: number, actual: number, now: Moment, isLate: boolean): void {
    const debit = actual - charge.amount;
    let count = this.counts.get(mark);
    if (count === undefined && debit > 0)
      count = this.begin(mark, charge.bounds?.find((bound) => bound > mark) ?? mark, now, false);
    if (count === undefined) return;
    count.used = Math.max(0, count.used + debit);
    if (!isLate) count.held = Math.max(0, count.held - charge.amount);
  }

  spent(mark: number): number {
    const count = this.counts.get(mark);
    return count === undefined ? 0 : count.used - count.held;
  }

  unopened(charge: Charge, now: Moment): Unopened | undefined {
    const since = this.mark(charge, now);
    const count = this.counts.get(since);
    if (count?.isOpened ?? this.hasWatched(charge, since, now)) return undefined;
    return { since, until: count?.begun ?? now.wall };
  }

  open(charge: Charge, now: Moment): void {
    const {
      baseline,
      bucket: { account },
    } = charge;
    if (
      account === undefined ||
      baseline === undefined ||
      baseline === 'later' ||
      this.unopened(charge, now)?.since !== baseline.since
    )
      return;
    const count = this.countOf(charge, now);
    count.isOpened = true;
    this.fill(count, account, baseline.amount);
  }

  opened({ wall }: Moment): readonly OpenedWindow[] {
    return [...this.counts].flatMap(([since, count]) => {
      const { baseline, begun: until, end } = count;
      return baseline === undefined || wall >= end
        ? []
        : [
            {
              account: baseline.account,
              span: { since, until },
              reopen: (amount) => this.fill(count, baseline.account, amount),
            },
          ];
    });
  }

  isIdle(now: Moment): boolean {
    for (const { end, used, isOpened } of this.counts.values())
      if ((used > 0 || isOpened) && now.wall < end + LINGER_MS) return false;
    return true;
  }

  private fill(count: Count, account: Account, amount: number): void {
    count.used = Math.max(0, count.used + amount - (count.baseline?.amount ?? 0));
    count.baseline = { account, amount };
  }

  /** Who has counted in the window before has watched this one from its beginning. */
  private hasWatched({ bounds = [] }: Charge, start: number, now: Moment): boolean {
    const before = this.counts.get(bounds.findLast((bound) => bound < start) ?? start);
    return before !== undefined && now.wall < before.end + LINGER_MS;
  }

  private countOf(charge: Charge, now: Moment): Count {
    const start = startOf(charge, now);
    return this.counts.get(start) ?? this.begin(start, endOf(charge, now), now, this.hasWatched(charge, start, now));
  }

  /** @param start unix milliseconds, as is the end */
  private begin(start: number, end: number, now: Moment, isOpened: boolean): Count {
    for (const [known, count] of this.counts) if (now.wall >= count.end + LINGER_MS) this.counts.delete(known);
    const count = { end, begun: now.wall, used: 0, held: 0, isOpened };
    this.counts.set(start, count);
    return count;
  }
}
