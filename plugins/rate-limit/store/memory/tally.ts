import type { Charge } from '../store.ts';

/** The clocks during one call. */
export interface Moment {
  /** Whole milliseconds that never decrease. */
  readonly monotonic: number;
  /** Unix milliseconds, for calendar windows. */
  readonly wall: number;
}

/** What was taken. Without its bucket if only the memory is known: its thread has ended. */
export type Taken = Pick<Charge, 'amount' | 'bounds'> & Partial<Pick<Charge, 'bucket'>>;

/** Counts the buckets of one kind. Each is an entry of a shard; `at` is where it begins. */
export interface Tally {
  /** The length of an entry in words. */
  readonly size: number;
  /** Milliseconds until the charge fits; 0 if it does now. */
  waitMs(at: number, charge: Charge, now: Moment): number;
  remaining(at: number, charge: Charge, now: Moment): number;
  resetMs(at: number, charge: Charge, now: Moment): number;
  /** The position at which a charge of this moment is counted. `settle` gets it back. */
  mark(charge: Charge, now: Moment): number;
  take(at: number, charge: Charge, now: Moment): void;
  /**
   * Replaces what was taken at `mark` with `actual`.
   * @param isLate the lease has expired: all but the amount of the charge has been given back already
   */
  settle(at: number, taken: Taken, mark: number, actual: number, now: Moment, isLate: boolean): void;
  /** Whether it counts nothing any more. */
  isIdle(at: number, now: Moment): boolean;
}
