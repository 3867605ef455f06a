import type { BaselineSpan, Charge } from '../store.ts';
import { EPOCH, type Arena } from '../../../../core/api/internal.ts';
import {
  ALONE_AT,
  BASED,
  BEGUN,
  CALENDAR_SIZE,
  CalendarWindows,
  COMPLETE,
  DUE_AT,
  END,
  FLOOR,
  HELD,
  KEEP_MS,
  LEDGER,
  PART,
  READ_IN,
  USED,
} from './calendar-windows.ts';
import type { Moment, Taken, Tally } from './tally.ts';

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

/** This host's part of what the shared store had last counted in the window. */
const partOf = ({ known, bucket: { account } }: Charge, since: number): number =>
  known?.since === since ? Math.floor(known.amount * (account?.share ?? 1)) : 0;

/** A count per calendar window, by the wall clock. If the clock is set back, the earlier window is counted again. */
export class Calendar implements Tally {
  readonly size = CALENDAR_SIZE;
  readonly #arena: Arena;
  readonly #windows: CalendarWindows;

  constructor(arena: Arena) {
    this.#arena = arena;
    this.#windows = new CalendarWindows(arena);
  }

  waitMs(at: number, charge: Charge, now: Moment): number {
    return charge.amount <= this.remaining(at, charge, now) ? 0 : Math.max(1, this.resetMs(at, charge, now));
  }

  remaining(at: number, charge: Charge, now: Moment): number {
    const count = this.#windows.find(at, this.mark(charge, now));
    return charge.bucket.limit - (count === 0 ? 0 : this.#arena.get(count + USED));
  }

  resetMs(_at: number, charge: Charge, now: Moment): number {
    return Math.max(0, endOf(charge, now) - now.wall);
  }

  mark(charge: Charge, now: Moment): number {
    return startOf(charge, now);
  }

  take(at: number, charge: Charge, now: Moment): void {
    const count = this.#countOf(at, charge, now);
    this.#arena.add(count + USED, charge.amount);
    this.#arena.add(count + HELD, charge.amount);
  }

  /** Settles in the window that took the charge, even if the next one has begun. */
  settle(at: number, { amount, bounds }: Taken, mark: number, actual: number, now: Moment, isLate: boolean): void {
    const arena = this.#arena;
    const debit = actual - amount;
    let count = this.#windows.find(at, mark);
    if (count === 0 && debit > 0)
      count = this.#windows.begin(at, mark, bounds?.find((bound) => bound > mark) ?? mark, now, 0);
    if (count === 0) return;
    arena.put(count + USED, Math.max(0, arena.get(count + USED) + debit));
    if (actual > 0) arena.put(count + ALONE_AT, now.wall);
    if (!isLate) arena.put(count + HELD, Math.max(0, arena.get(count + HELD) - amount));
  }

  /** What is used, without what is only reserved, in the window that begins at `mark`. */
  spent(at: number, mark: number): number {
    const count = this.#windows.find(at, mark);
    return count === 0 ? 0 : this.#arena.get(count + USED) - this.#arena.get(count + HELD);
  }

  /** The span of the baseline that the window of this moment lacks, or that has to be read again. */
  missingBaseline(
    at: number,
    charge: Charge,
    now: Moment,
  ): (BaselineSpan & { readonly isCounted?: boolean }) | undefined {
    const since = this.mark(charge, now);
    const count = this.#windows.find(at, since);
    if (count === 0) return this.#hasCountedBefore(at, charge, since, now) ? undefined : this.#spanOf(since, now.wall);
    const until = this.#arena.get(count + BEGUN);
    if (this.#arena.get(count + COMPLETE) === 0) return this.#spanOf(since, until);
    return this.#isOutdated(count) ? { ...this.#spanOf(since, until), isCounted: true } : undefined;
  }

  /** Whether one of its baselines is to be read again. */
  isDue(at: number, { wall }: Moment): boolean {
    const dueAt = this.#arena.get(at + DUE_AT);
    return dueAt > 0 && wall >= dueAt;
  }

  /** The span of a baseline that is to be read again now. It is returned to one request. */
  staleBaseline(at: number, charge: Charge, now: Moment): BaselineSpan | undefined {
    const since = this.mark(charge, now);
    const count = this.#windows.find(at, since);
    this.#arena.put(at + DUE_AT, now.wall + RENEWING_MS);
    return count !== 0 && this.#arena.get(count + COMPLETE) === 1
      ? this.#spanOf(since, this.#arena.get(count + BEGUN))
      : undefined;
  }

  /**
   * A window that was counted before the last fault begins again: since then others have counted. It keeps what this
   * host knows until the ledger is read. If the shared store has not counted since this host last admitted something
   * alone, all of that stays counted: the host gets no second part of what was left.
   * @param faultAt unix milliseconds
   */
  recount(at: number, charge: Charge, now: Moment, faultAt: number): void {
    const { known, bucket } = charge;
    const start = this.mark(charge, now);
    const count = this.#windows.find(at, start);
    if (bucket.account === undefined || known === undefined) return;
    const arena = this.#arena;
    const part = partOf(charge, start);
    if (count !== 0 && arena.get(count + BEGUN) >= faultAt) return this.#raise(count, part);
    const of = (field: number): number => (count === 0 ? 0 : arena.get(count + field));
    const [used, held, aloneAt] = [of(USED), of(HELD), of(ALONE_AT)];
    const before = count === 0 ? 0 : this.#windows.baselineOf(count);
    const alone = used - held - before;
    const isShared = count === 0 || (known.since === start && known.countedAt > aloneAt);
    const floor = isShared
      ? Math.max(part + (known.since === start ? known.alone : 0), before + Math.floor(alone * bucket.account.share))
      : used - held + Math.max(0, part - of(PART));
    const fresh = this.#windows.begin(at, start, endOf(charge, now), now, 0);
    arena.put(fresh + HELD, held);
    arena.put(fresh + USED, held + floor);
    arena.put(fresh + PART, part);
    arena.put(fresh + ALONE_AT, aloneAt);
    arena.put(fresh + BASED, 1);
    arena.put(fresh + FLOOR, floor);
  }

  /** An exchange has cost more or less than it had reserved in the shared store, which has not settled it. */
  correct(at: number, mark: number, change: number): void {
    const count = this.#windows.find(at, mark);
    if (count === 0 || this.#arena.get(count + BASED) === 0) return;
    this.#windows.setBaseline(count, FLOOR, Math.max(0, this.#arena.get(count + FLOOR) + change));
  }

  /** Sets the baseline of the window of this moment to that of the charge. */
  applyBaseline(at: number, charge: Charge, now: Moment): void {
    const { baseline, bucket } = charge;
    if (bucket.account === undefined || baseline === undefined || baseline === 'later') return;
    const arena = this.#arena;
    const known = this.#windows.find(at, baseline.since);
    const isIncomplete = known === 0 || arena.get(known + COMPLETE) === 0;
    const isMissing = isIncomplete && this.missingBaseline(at, charge, now)?.since === baseline.since;
    if (!isMissing && (known === 0 || arena.get(known + BEGUN) !== baseline.until)) return;
    const count = isMissing ? this.#countOf(at, charge, now) : known;
    arena.put(count + COMPLETE, 1);
    arena.put(count + READ_IN, baseline.epoch ?? 0);
    if (baseline.isRecorded === false && arena.get(count + BASED) === 1) return;
    this.#windows.setBaseline(count, LEDGER, baseline.amount);
    // Rows can reach the ledger late: the later it is read, the later they were.
    arena.put(at + DUE_AT, now.wall + Math.max(RENEW_MS, 3 * (now.wall - arena.get(count + BEGUN))));
  }

  isIdle(at: number, now: Moment): boolean {
    return this.#windows.isIdle(at, now);
  }

  #spanOf(since: number, until: number): BaselineSpan {
    const epoch = this.#arena.get(EPOCH);
    return epoch === 0 ? { since, until } : { since, until, epoch };
  }

  #isOutdated(count: number): boolean {
    return this.#arena.get(count + BASED) === 1 && this.#arena.get(count + READ_IN) < this.#arena.get(EPOCH);
  }

  /** Another thread of this host has seen more. */
  #raise(count: number, part: number): void {
    const more = part - this.#arena.get(count + PART);
    if (more <= 0) return;
    this.#arena.put(count + PART, part);
    this.#windows.setBaseline(count, FLOOR, this.#arena.get(count + FLOOR) + more);
  }

  /** A store that counted in the previous window has counted this one from its beginning. */
  #hasCountedBefore(at: number, { bounds = [] }: Charge, start: number, now: Moment): boolean {
    const before = this.#windows.find(at, bounds.findLast((bound) => bound < start) ?? start);
    return before !== 0 && now.wall < this.#arena.get(before + END) + KEEP_MS;
  }

  #countOf(at: number, charge: Charge, now: Moment): number {
    const start = startOf(charge, now);
    const known = this.#windows.find(at, start);
    if (known !== 0) return known;
    return this.#windows.begin(
      at,
      start,
      endOf(charge, now),
      now,
      this.#hasCountedBefore(at, charge, start, now) ? 1 : 0,
    );
  }
}
