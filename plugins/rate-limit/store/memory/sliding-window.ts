import type { Bucket, Charge } from '../store.ts';
import type { Moment, Tally } from './tally.ts';

/**
 * A window is counted in this many parts. What is taken in one part counts in it and in the 60 after it: for at least
 * `per`, and at most a sixtieth longer.
 */
const PARTS = 60;

interface Part {
  /** Its number since the start of the clock. */
  readonly index: number;
  count: number;
}

/** Takes no more than `limit` in any window of the length `per`. */
export class SlidingWindow implements Tally {
  /** The parts in which something was taken, oldest first. */
  private readonly parts: Part[] = [];
  private total = 0;
  private readonly per: number;

  constructor({ per }: Bucket) {
    this.per = per;
  }

  waitMs({ bucket, amount }: Charge, now: Moment): number {
    let excess = this.used(now) + amount - bucket.limit;
    if (excess <= 0) return 0;
    for (const { index, count } of this.parts) {
      if (this.isGone(index, now)) continue;
      excess -= count;
      if (excess <= 0) return this.leavesIn(index, now);
    }
    return this.per;
  }

  remaining({ bucket }: Charge, now: Moment): number {
    return bucket.limit - this.used(now);
  }

  resetMs(_charge: Charge, now: Moment): number {
    const last = this.parts.at(-1);
    return last === undefined || this.used(now) === 0 ? 0 : this.leavesIn(last.index, now);
  }

  mark(_charge: Charge, now: Moment): number {
    return Math.floor((now.monotonic * PARTS) / this.per);
  }

  take(charge: Charge, now: Moment): void {
    this.add(charge.amount, this.mark(charge, now), now);
  }

  settle(charge: Charge, mark: number, actual: number, now: Moment): void {
    const debit = actual - charge.amount;
    if (debit > 0) this.add(debit, this.mark(charge, now), now);
    if (debit < 0) this.giveBack(-debit, mark);
  }

  isIdle(now: Moment): boolean {
    return this.used(now) === 0;
  }

  private used(now: Moment): number {
    let used = this.total;
    for (const { index, count } of this.parts) {
      if (!this.isGone(index, now)) break;
      used -= count;
    }
    return used;
  }

  private add(amount: number, index: number, now: Moment): void {
    this.total = this.used(now) + amount;
    this.removeGone(now);
    const last = this.parts.at(-1);
    if (last?.index === index) last.count += amount;
    else this.parts.push({ index, count: amount });
  }

  private removeGone(now: Moment): void {
    let gone = 0;
    for (const { index } of this.parts) {
      if (!this.isGone(index, now)) break;
      gone += 1;
    }
    if (gone > 0) this.parts.splice(0, gone);
  }

  /**
   * A part that has left the window has taken its count with it. The search begins at the newest part, because most
   * requests are short.
   */
  private giveBack(amount: number, index: number): void {
    for (let at = this.parts.length - 1; at >= 0; at -= 1) {
      const part = this.parts[at];
      if (part === undefined || part.index < index) return;
      if (part.index > index) continue;
      part.count -= amount;
      this.total -= amount;
      return;
    }
  }

  private isGone(index: number, now: Moment): boolean {
    return this.leavesIn(index, now) <= 0;
  }

  private leavesIn(index: number, now: Moment): number {
    return Math.ceil(((index + PARTS + 1) * this.per) / PARTS - now.monotonic);
  }
}
