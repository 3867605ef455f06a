import type { BucketState, Charge } from '../store.ts';
import type { Entries } from './entries.ts';
import type { Moment } from './tally.ts';

/** What the ledger has to sum up before a charge can be decided. */
export const missingBaselineOf = (
  { calendar }: Entries,
  at: number,
  charge: Charge,
  now: Moment,
): BucketState['missingBaseline'] =>
  charge.bucket.kind !== 'calendar' || charge.bucket.account === undefined || charge.baseline === 'later'
    ? undefined
    : calendar.missingBaseline(at, charge, now);

const stateOf = (entries: Entries, at: number, charge: Charge, waitMs: number, now: Moment): BucketState => {
  const { calendar } = entries;
  const { kind, enforce } = charge.bucket;
  const tally = entries.tallyOf(kind);
  const remaining = tally.remaining(at, charge, now);
  const resetMs = tally.resetMs(at, charge, now);
  const shadowed = waitMs > 0 && !enforce;
  if (kind !== 'calendar') return { remaining, resetMs, shadowed };
  const spent = calendar.spent(at, calendar.mark(charge, now));
  const missingBaseline = missingBaselineOf(entries, at, charge, now);
  if (missingBaseline !== undefined) return { remaining, resetMs, shadowed, spent, missingBaseline };
  const staleBaseline = calendar.isDue(at, now) ? calendar.staleBaseline(at, charge, now) : undefined;
  return staleBaseline === undefined
    ? { remaining, resetMs, shadowed, spent }
    : { remaining, resetMs, shadowed, spent, staleBaseline };
};

/** The states of the buckets of some entries. @param waits milliseconds until each charge fits; absent: it fits */
export function statesOf(
  entries: Entries,
  ats: readonly number[],
  charges: readonly Charge[],
  waits: readonly number[],
  now: Moment,
): readonly BucketState[] {
  const states: BucketState[] = [];
  for (let index = 0; index < charges.length; index += 1) {
    const at = ats[index];
    const charge = charges[index];
    if (at !== undefined && charge !== undefined) states.push(stateOf(entries, at, charge, waits[index] ?? 0, now));
  }
  return states;
}
