import type { Account, BaselineSpan, Charge } from '../store.ts';

/** The clocks during one call. */
export interface Moment {
  /** Whole milliseconds that never decrease. */
  readonly monotonic: number;
  /** Unix milliseconds, for calendar windows. */
  readonly wall: number;
}

/** A window that began with a baseline. */
export interface BaselineWindow {
  readonly account: Account;
  /** The span of its baseline. */
  readonly span: BaselineSpan;
  /** Replaces its baseline. */
  replaceBaseline(amount: number): void;
}

/** The count of one bucket in this process. */
export interface Tally {
  /** Milliseconds until the charge fits; 0 if it does now. */
  waitMs(charge: Charge, now: Moment): number;
  remaining(charge: Charge, now: Moment): number;
  resetMs(charge: Charge, now: Moment): number;
  /** The position at which a charge of this moment is counted. `settle` gets it back. */
  mark(charge: Charge, now: Moment): number;
  take(charge: Charge, now: Moment): void;
  /**
   * Replaces what was taken at `mark` with `actual`.
   * @param isLate the lease has expired: all but the amount of the charge has been given back already
   */
  settle(charge: Charge, mark: number, actual: number, now: Moment, isLate: boolean): void;
  /** For calendar windows: what is used, without what is only reserved, in the window that begins at `mark`. */
  spent?(mark: number): number;
  /** For calendar windows: the span of the baseline that the window of this moment lacks. */
  missingBaseline?(charge: Charge, now: Moment): BaselineSpan | undefined;
  /** For calendar windows: when the next of its baselines is to be read again, in unix milliseconds. */
  readonly dueAt?: number;
  /** For calendar windows: the span of a baseline that is to be read again now. It is returned to one request. */
  staleBaseline?(charge: Charge, now: Moment): BaselineSpan | undefined;
  /**
   * For calendar windows: counts the window of this moment anew if that began before a fault.
   * @param faultAt unix milliseconds
   */
  recount?(charge: Charge, now: Moment, faultAt: number): void;
  /** Sets the baseline of the window of this moment to that of the charge. */
  applyBaseline?(charge: Charge, now: Moment): void;
  /** For calendar windows: the current windows that began with a baseline. */
  baselineWindows?(now: Moment): readonly BaselineWindow[];
  /** Whether it counts nothing any more. */
  isIdle(now: Moment): boolean;
}
