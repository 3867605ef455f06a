import type { Clock, KeyRecord, Log } from '../contracts/services.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';
import { isTagged, parseKey } from './key-format.ts';
import type { KeyTable } from './key-table.ts';

/** A revocation is felt within this time, in every process. */
const freshMs = 1000;
/**
 * How long a key that was found goes on while the database fails: a dead store must not shut out callers known to be
 * good.
 */
const graceMs = 3_600_000;

/** A key as it was presented. */
interface Presented {
  readonly digest: Uint8Array;
  readonly text: string;
}

interface Parts {
  readonly table: Pick<KeyTable, 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

export type StoredKeys = KeyCache<Presented, KeyRecord>;

/**
 * The keys of the database behind a short memory. Text that carries our tag and fails its checksum is no key and costs
 * no question.
 */
export const createStoredKeys = ({ table, ...parts }: Parts): StoredKeys =>
  createKeyCache({
    ...parts,
    find: ({ digest }) => table.find(digest),
    isPossible: ({ text }) => !isTagged(text) || parseKey(text) !== undefined,
    freshMs,
    graceMs,
    describe: 'The keys in the database',
  });
