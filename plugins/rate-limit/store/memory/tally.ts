import type { Account, Charge, Unopened } from '../store.ts';

/** What the clocks say during one call. */
export interface Moment {
  /** Whole milliseconds that never go back. */
  readonly monotonic: number;
  /** Unix milliseconds, in which calendars are kept. */
  readonly wall: number;
}

/** A window that began with what the ledger knew then. */
export interface OpenedWindow {
  readonly account: Account;
  /** Of which time the ledger would be asked now. */
  readonly span: Unopened;
  /** It begins with so much instead. */
  reopen(amount: number): void;
}

/** What one bucket has counted, in this process. */
export interface Tally {
  /** Until the charge fits; 0: it does now. */
  waitMs(charge: Charge, now: Moment): number;
  remaining(charge: Charge, now: Moment): number;
  resetMs(charge: Charge, now: Moment): number;
  /** Where a charge of this moment is counted: what `settle` has to be told. */
  mark(charge: Charge, now: Moment): number;
  take(charge: Charge, now: Moment): void;
  /** What was taken at `mark` becomes `actual`. @param isLate what was taken had been given back already, but for the amount of the charge */
  settle(charge: Charge, mark: number, actual: number, now: Moment, isLate: boolean): void;
  /** Of money: what is used without what is reserved, in the window that begins at `mark`. */
  spent?(mark: number): number;
  /** Of money: set while the window of this moment is not counted from what the ledger knows. */
  unopened?(charge: Charge, now: Moment): Unopened | undefined;
  /** Begins the window of this moment with the baseline of the charge. */
  open?(charge: Charge, now: Moment): void;
  /** Of money: those of its windows that are not over. */
  opened?(now: Moment): readonly OpenedWindow[];
  /** Nothing is left to remember. */
  isIdle(now: Moment): boolean;
}
