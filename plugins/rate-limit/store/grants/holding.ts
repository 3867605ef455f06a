import type { Bucket, Charge } from '../store.ts';
import { SPAN_MS } from './demand.ts';
import type { Spending } from './grant-call.ts';

/** A sliding window is counted in so many parts, and a grant is spent in the part in which it was taken. */
const PARTS = 60;
/** An exchange without a row in the ledger is in no baseline. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** The clocks of this process. Both must agree that a grant can still be spent: either can be set or can stop. */
export interface Clocks {
  /** Monotonic milliseconds. */
  readonly monotonic: number;
  /** Unix milliseconds. */
  readonly wall: number;
}

/** What a process holds at one position of a bucket: a part of a sliding window, or a calendar window. */
export interface Holding {
  readonly mark: number;
  /** What can be spent, if it is the current one. Below 0: exchanges used more than they had reserved. */
  free: number;
  /** What exchanges have reserved. */
  held: number;
  /** The part of it that stays counted after a crash. */
  kept: number;
  /** What exchanges have used, until the store has counted it. */
  spent: Spending[];
  /** The store has lost it, so that nothing is given back. */
  isLost: boolean;
}

/** What one request has taken from one bucket; without a holding: nothing. */
export interface Taken {
  readonly holding: Holding | undefined;
  readonly charge: Charge;
}

/** Whether a part of a bucket can be taken in advance. The decision "Local grants" says why others are not. */
export const isGrantable = ({ kind, per }: Bucket): boolean =>
  kind === 'window' ? per >= PARTS * SPAN_MS : kind === 'calendar' || kind === 'leases';

/** Adds to a list what was used, with the number of the call that will report it first. */
export const addSpending = (list: Spending[], call: number, endedAt: number, amount: number): void => {
  if (amount === 0) return;
  const last = list.at(-1);
  if (last?.call === call && last.endedAt === endedAt) last.amount += amount;
  else list.push({ call, endedAt, amount });
};
