import type { BaselineSpan, BucketState, Charge, Account } from '../store.ts';
import type { Moment, BaselineWindow, Tally } from './tally.ts';

/** How long a window is kept after its end: for clocks that are set back, and for late settlements. */
const KEEP_MS = 3_600_000;

/**
 * The index of the bound at which the current window begins. The nearest of the three windows if the clock is in none.
 */
const windowIndex = ({ bounds = [] }: Charge, { wall }: Moment): number => {
  if (wall < (bounds[1] ?? 0)) return 0;
  return wall < (bounds[2] ?? 0) ? 1 : 2;
};
const startOf = (charge: Charge, now: Moment): number => charge.bounds?.[windowIndex(charge, now)] ?? 0;
const endOf = (charge: Charge, now: Moment): number => charge.bounds?.[windowIndex(charge, now) + 1] ?? 0;

/** The ledger is read again after this time at the earliest, for rows that reached it late. */
const RENEW_MS = 1_000;
/** No other request reads it meanwhile. */
const RENEWING_MS = 5_000;

interface Count {
  readonly end: number;
  /** When counting began, in unix milliseconds. What ended before is in the baseline. */
  begun: number;
  /** What is spent or reserved. */
  used: number;
  /** The reserved part of it. */
  held: number;
  /** It has been counted from the beginning of the window, or from its baseline. */
  isComplete: boolean;
  /** By the ledger. `floor`: the least that it is, by what is known otherwise. */
  baseline?: { readonly account: Account; readonly amount: number; readonly floor: number };
}

/** This host's part of what the shared store had last counted in the window. */
const knownOf = ({ known, bucket: { account } }: Charge, since: number): number =>
  known?.since === since ? Math.floor(known.amount * (account?.share ?? 1)) : 0;

/** A count per calendar window, by the wall clock. If the clock is set back, the earlier window is counted again. */
export class Calendar implements Tally {
  private readonly counts = new Map<number, Count>();
  dueAt = Infinity;

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

  /** Settles in the window that took the charge, even if the next one has begun. */
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

  missingBaseline(charge: Charge, now: Moment): BaselineSpan | undefined {
    const since = this.mark(charge, now);
    const count = this.counts.get(since);
    if (count?.isComplete ?? this.hasCountedBefore(charge, since, now)) return undefined;
    return { since, until: count?.begun ?? now.wall };
  }

  staleBaseline(charge: Charge, now: Moment): BucketState['staleBaseline'] {
    const since = this.mark(charge, now);
    const count = this.counts.get(since);
    this.dueAt = now.wall + RENEWING_MS;
    return count?.isComplete === true ? { since, until: count.begun } : undefined;
  }

  /**
   * A window that was counted before the last fault begins again: since then others have counted. It keeps what this
   * host knows until the ledger is read.
   */
  recount(charge: Charge, now: Moment, faultAt: number): void {
    const {
      known,
      bucket: { account },
    } = charge;
    const start = this.mark(charge, now);
    const count = this.counts.get(start);
    if (account === undefined || known === undefined || (count !== undefined && count.begun >= faultAt)) return;
    const { used = 0, held = 0, baseline } = count ?? {};
    const before = baseline?.amount ?? 0;
    const floor = Math.max(knownOf(charge, start), before + Math.floor((used - held - before) * account.share));
    const fresh = this.begin(start, endOf(charge, now), now, false);
    [fresh.held, fresh.used] = [held, held + floor];
    fresh.baseline = { account, amount: floor, floor };
  }

  applyBaseline(charge: Charge, now: Moment): void {
    const {
      baseline,
      bucket: { account },
    } = charge;
    if (account === undefined || baseline === undefined || baseline === 'later') return;
    const isMissing = this.missingBaseline(charge, now)?.since === baseline.since;
    const known = this.counts.get(baseline.since);
    if (!isMissing && (known === undefined || known.begun !== baseline.until)) return;
    const count = isMissing ? this.countOf(charge, now) : known;
    if (count === undefined) return;
    count.isComplete = true;
    if (baseline.isRecorded === false && count.baseline !== undefined) return;
    this.setBaseline(count, account, baseline.amount);
    // Rows can reach the ledger late: the later it is read, the later they were.
    this.dueAt = now.wall + Math.max(RENEW_MS, 3 * (now.wall - count.begun));
  }

  baselineWindows({ wall }: Moment): readonly BaselineWindow[] {
    return [...this.counts].flatMap(([since, count]) => {
      const { baseline, begun: until, end } = count;
      return baseline === undefined || wall >= end
        ? []
        : [
            {
              account: baseline.account,
              span: { since, until },
              replaceBaseline: (amount) => this.setBaseline(count, baseline.account, amount),
            },
          ];
    });
  }

  isIdle(now: Moment): boolean {
    for (const { end, used, isComplete } of this.counts.values())
      if ((used > 0 || isComplete) && now.wall < end + KEEP_MS) return false;
    return true;
  }

  private setBaseline(count: Count, account: Account, amount: number): void {
    const floor = count.baseline?.floor ?? 0;
    const counted = Math.max(amount, floor);
    count.used = Math.max(0, count.used + counted - (count.baseline?.amount ?? 0));
    count.baseline = { account, amount: counted, floor };
  }

  /** A store that counted in the previous window has counted this one from its beginning. */
  private hasCountedBefore({ bounds = [] }: Charge, start: number, now: Moment): boolean {
    const before = this.counts.get(bounds.findLast((bound) => bound < start) ?? start);
    return before !== undefined && now.wall < before.end + KEEP_MS;
  }

  private countOf(charge: Charge, now: Moment): Count {
    const start = startOf(charge, now);
    return (
      this.counts.get(start) ?? this.begin(start, endOf(charge, now), now, this.hasCountedBefore(charge, start, now))
    );
  }

  /** @param start unix milliseconds, as is the end */
  private begin(start: number, end: number, now: Moment, isComplete: boolean): Count {
    for (const [known, count] of this.counts) if (now.wall >= count.end + KEEP_MS) this.counts.delete(known);
    const count: Count = { end, begun: now.wall, used: 0, held: 0, isComplete };
    this.counts.set(start, count);
    return count;
  }
}
