import { EPOCH, type Arena } from '../../../../core/api/internal.ts';
import { FIELDS } from './entry.ts';
import type { Moment } from './tally.ts';

/** How long a window is kept after its end: for clocks that are set back, and for late settlements. */
export const KEEP_MS = 3_600_000;

/** When the next of the baselines is to be read again, in unix milliseconds; 0: never. */
export const DUE_AT = FIELDS;
const FIRST_COUNT = FIELDS + 1;
/** The windows that are counted at the same time: the current one, and those that a clock was set to or from. */
const COUNTS = 5;
/** The end is 0 where nothing is counted. */
const START = 0;
export const END = 1;
/** When counting began, in unix milliseconds. What ended before is in the baseline. */
export const BEGUN = 2;
/** What is spent or reserved, and the reserved part of it. */
export const [USED, HELD] = [3, 4] as const;
/** 1: it has been counted from the beginning of the window, or from its baseline. */
export const COMPLETE = 5;
/** 1: it has a baseline. `LEDGER`: what that has. `FLOOR`: the least that it is. The higher one is counted. */
export const [BASED, LEDGER, FLOOR] = [6, 7, 8] as const;
/** This host's part of what the shared store had last counted, which is in the floor. */
export const PART = 9;
/** When something was last spent that this host had admitted alone, in unix milliseconds. */
export const ALONE_AT = 10;
/** How often the ledger had found more spending when the baseline was read. */
export const READ_IN = 11;
const COUNT_SIZE = 12;

/** The length of an entry. */
export const CALENDAR_SIZE = FIRST_COUNT + COUNTS * COUNT_SIZE;

/** The windows of calendar buckets. */
export class CalendarWindows {
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** @returns where the count of the window is, or 0 */
  find(at: number, start: number): number {
    const arena = this.#arena;
    for (let count = at + FIRST_COUNT; count < at + CALENDAR_SIZE; count += COUNT_SIZE)
      if (arena.get(count + START) === start && arena.get(count + END) !== 0) return count;
    return 0;
  }

  /** Counts anew. In place of the same window if that was counted, else of one that is over, or ends first. */
  begin(at: number, start: number, end: number, now: Moment, isComplete: 0 | 1): number {
    const arena = this.#arena;
    let chosen = this.find(at, start);
    for (let count = at + FIRST_COUNT; count < at + CALENDAR_SIZE; count += COUNT_SIZE)
      if (now.wall >= arena.get(count + END) + KEEP_MS) this.#clear(count);
    if (chosen === 0) {
      chosen = at + FIRST_COUNT;
      for (let count = chosen; count < at + CALENDAR_SIZE; count += COUNT_SIZE)
        if (arena.get(count + END) < arena.get(chosen + END)) chosen = count;
    }
    this.#clear(chosen);
    arena.put(chosen + START, start);
    arena.put(chosen + END, end);
    arena.put(chosen + BEGUN, now.wall);
    arena.put(chosen + COMPLETE, isComplete);
    arena.put(chosen + READ_IN, arena.get(EPOCH));
    return chosen;
  }

  /** What is counted of its baseline. */
  baselineOf(count: number): number {
    return Math.max(this.#arena.get(count + LEDGER), this.#arena.get(count + FLOOR));
  }

  /** @param field `LEDGER` or `FLOOR` */
  setBaseline(count: number, field: number, amount: number): void {
    const arena = this.#arena;
    const before = this.baselineOf(count);
    arena.put(count + BASED, 1);
    arena.put(count + field, amount);
    arena.put(count + USED, Math.max(0, arena.get(count + USED) + this.baselineOf(count) - before));
  }

  isIdle(at: number, { wall }: Moment): boolean {
    const arena = this.#arena;
    for (let count = at + FIRST_COUNT; count < at + CALENDAR_SIZE; count += COUNT_SIZE)
      if ((arena.get(count + USED) > 0 || arena.get(count + COMPLETE) === 1) && wall < arena.get(count + END) + KEEP_MS)
        return false;
    return true;
  }

  #clear(count: number): void {
    for (let field = 0; field < COUNT_SIZE; field += 1)
      if (this.#arena.get(count + field) !== 0) this.#arena.put(count + field, 0);
  }
}
