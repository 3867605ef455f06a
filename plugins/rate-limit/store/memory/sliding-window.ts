import type { Charge } from '../store.ts';
import type { Arena } from '../../../../core/api/internal.ts';
import { FIELDS, PER } from './entry.ts';
import type { Moment, Taken, Tally } from './tally.ts';

/**
 * A window is counted in this many parts. What is taken in one part counts in it and in the 60 after it: for at least
 * `per`, and at most a sixtieth longer.
 */
const PARTS = 60;

/** The sum of the parts; the numbers of the oldest part and of the one after the newest, since the clock began. */
const [TOTAL, FIRST, END] = [FIELDS, FIELDS + 1, FIELDS + 2];
/** The counts of the parts. A part is at its number, modulo their number. */
const COUNTS = END + 1;
const RING = PARTS + 1;

const partAt = (at: number, index: number): number => at + COUNTS + index - Math.floor(index / RING) * RING;

const leavesIn = (index: number, per: number, now: Moment): number =>
  Math.ceil(((index + PARTS + 1) * per) / PARTS - now.monotonic);

/** Takes no more than `limit` in any window of the length `per`. */
export class SlidingWindow implements Tally {
  readonly size = COUNTS + RING;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  waitMs(at: number, { bucket: { limit, per }, amount }: Charge, now: Moment): number {
    let excess = this.#used(at, per, now) + amount - limit;
    if (excess <= 0) return 0;
    const arena = this.#arena;
    for (let index = arena.get(at + FIRST); index < arena.get(at + END); index += 1) {
      excess -= arena.get(partAt(at, index));
      if (excess <= 0) return leavesIn(index, per, now);
    }
    return per;
  }

  remaining(at: number, { bucket: { limit, per } }: Charge, now: Moment): number {
    return limit - this.#used(at, per, now);
  }

  resetMs(at: number, { bucket: { per } }: Charge, now: Moment): number {
    return this.#used(at, per, now) === 0 ? 0 : leavesIn(this.#arena.get(at + END) - 1, per, now);
  }

  mark({ bucket: { per } }: Charge, now: Moment): number {
    return Math.floor((now.monotonic * PARTS) / per);
  }

  take(at: number, charge: Charge, now: Moment): void {
    this.#add(at, charge.amount, now);
  }

  settle(at: number, { amount }: Taken, mark: number, actual: number, now: Moment): void {
    const debit = actual - amount;
    if (debit > 0) this.#add(at, debit, now);
    if (debit < 0) this.#giveBack(at, -debit, mark);
  }

  isIdle(at: number, now: Moment): boolean {
    return this.#used(at, this.#arena.get(at + PER), now) === 0;
  }

  /** The sum of the parts, once those that have left the window are removed. */
  #used(at: number, per: number, now: Moment): number {
    const arena = this.#arena;
    const end = arena.get(at + END);
    const first = arena.get(at + FIRST);
    let index = first;
    let total = arena.get(at + TOTAL);
    for (; index < end && leavesIn(index, per, now) <= 0; index += 1) total -= arena.get(partAt(at, index));
    if (index === first) return total;
    arena.put(at + FIRST, index);
    arena.put(at + TOTAL, total);
    return total;
  }

  #add(at: number, amount: number, now: Moment): void {
    const arena = this.#arena;
    const per = arena.get(at + PER);
    const total = this.#used(at, per, now) + amount;
    const index = Math.floor((now.monotonic * PARTS) / per);
    const first = arena.get(at + FIRST);
    const end = arena.get(at + END);
    arena.put(at + TOTAL, total);
    if (index === end - 1 && first < end) return arena.add(partAt(at, index), amount);
    if (first === end) arena.put(at + FIRST, index);
    // Nothing was taken in the parts between.
    for (let empty = first === end ? index : end; empty < index; empty += 1) arena.put(partAt(at, empty), 0);
    arena.put(partAt(at, index), amount);
    arena.put(at + END, index + 1);
  }

  /** A part that has left the window has taken its count with it. */
  #giveBack(at: number, amount: number, index: number): void {
    const arena = this.#arena;
    if (index < arena.get(at + FIRST) || index >= arena.get(at + END)) return;
    arena.add(partAt(at, index), -amount);
    arena.add(at + TOTAL, -amount);
  }
}
