import type { Charge, ReserveRequest } from '../store.ts';
import { EMPTY } from '../../../../core/api/internal.ts';
import type { Entries, EntryKey } from './entries.ts';
import type { Moment } from './tally.ts';

/** Applies what a charge brings along, which counts even if the request is refused. @returns the entry */
export const prepare = (
  entries: Entries,
  { sinceFaultMs }: ReserveRequest,
  charge: Charge,
  entryKey: EntryKey,
  now: Moment,
): number => {
  const { bucket, known, baseline } = charge;
  if (known === undefined && baseline === undefined) return entries.find(entryKey);
  const at = entries.keep(entryKey, bucket);
  if (bucket.kind !== 'calendar') return at;
  const faultAt = sinceFaultMs === undefined ? 0 : now.wall - sinceFaultMs;
  if (known !== undefined) entries.calendar.recount(at, charge, now, faultAt);
  if (baseline !== undefined) entries.calendar.applyBaseline(at, charge, now);
  return at;
};

/**
 * Takes every charge.
 * @param ats where the entries are, afterwards with those that are created here
 * @returns the position at which each charge is counted
 */
export const take = (
  entries: Entries,
  charges: readonly Charge[],
  entryKeys: readonly EntryKey[],
  ats: number[],
  now: Moment,
): readonly number[] => {
  const marks: number[] = [];
  for (let index = 0; index < charges.length; index += 1) {
    const charge = charges[index];
    const entryKey = entryKeys[index];
    if (charge === undefined || entryKey === undefined) continue;
    const { bucket, amount } = charge;
    const tally = entries.tallyOf(bucket.kind);
    marks.push(tally.mark(charge, now));
    if (amount === 0) continue;
    const known = ats[index] ?? EMPTY;
    const at = known === EMPTY || bucket.isNamed === true ? entries.keep(entryKey, bucket) : known;
    ats[index] = at;
    tally.take(at, charge, now);
  }
  return marks;
};
