import type { Clock, KeyRecord, Log } from '../contracts/services.ts';
import { createBoundedMap } from './bounded-map.ts';
import { isTagged, parseKey } from './key-format.ts';
import type { KeyTable } from './key-table.ts';

/** A revocation is felt within this time, in every process. */
const freshMs = 1000;
/** How long a key that was found goes on while the database fails: a dead store must not shut out callers known to be good. */
const graceMs = 3_600_000;
const capacity = 10_000;

export interface StoredKeys {
  /** At once where the answer is fresh in memory. Rejects where the database fails and the key is not known. */
  find(hex: string, digest: Uint8Array, text: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
}

interface Found {
  readonly record: KeyRecord;
  /** When the database last said so. */
  readonly confirmedAt: number;
  /** When it was last asked, with or without an answer. */
  readonly askedAt: number;
}

interface Parts {
  readonly table: Pick<KeyTable, 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

/**
 * The keys of the database behind a short memory, keyed by the digest of the whole key. Found and missed keys are kept apart,
 * so that a flood of wrong keys displaces no good one. Callers of one key share one question. Text that carries our tag and fails
 * its checksum is no key and costs no question.
 */
export const createStoredKeys = ({ table, clock, log }: Parts): StoredKeys => {
  const found = createBoundedMap<Found>(capacity);
  const missed = createBoundedMap<number>(capacity);
  const pending = new Map<string, Promise<KeyRecord | undefined>>();
  let failing = false;

  const noteFailing = (now: boolean, error?: unknown): void => {
    if (failing === now) return;
    failing = now;
    if (now) log?.warn({ err: error }, 'The keys in the database cannot be read; configured keys and keys seen lately go on.');
    else log?.info({}, 'The keys in the database can be read again.');
  };

  const ask = async (hex: string, digest: Uint8Array, askedAt: number): Promise<KeyRecord | undefined> => {
    try {
      const record = await table.find(digest);
      noteFailing(false);
      if (record === undefined) {
        found.delete(hex);
        missed.set(hex, askedAt);
      } else {
        found.set(hex, { record, confirmedAt: askedAt, askedAt });
      }
      return record;
    } catch (error) {
      noteFailing(true, error);
      const known = found.get(hex);
      if (known === undefined || askedAt - known.confirmedAt >= graceMs) throw error;
      found.set(hex, { ...known, askedAt });
      return known.record;
    } finally {
      pending.delete(hex);
    }
  };

  const askOnce = (hex: string, digest: Uint8Array, now: number): Promise<KeyRecord | undefined> => {
    const running = pending.get(hex);
    if (running !== undefined) return running;
    const question = ask(hex, digest, now);
    pending.set(hex, question);
    return question;
  };

  return {
    find: (hex, digest, text) => {
      const now = clock.monotonic();
      const known = found.get(hex);
      if (known !== undefined && now - known.askedAt < freshMs) return known.record;
      const missedAt = missed.get(hex);
      if (missedAt !== undefined && now - missedAt < freshMs) return undefined;
      return isMistyped(text) ? undefined : askOnce(hex, digest, now);
    },
  };
};

const isMistyped = (text: string): boolean => isTagged(text) && parseKey(text) === undefined;
