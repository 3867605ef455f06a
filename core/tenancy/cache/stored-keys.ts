import type { KeyRecord } from '../../contracts/caller.ts';
import type { Clock, Log } from '../../contracts/services.ts';
import { formatDigest } from '../configured-keys.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';
import { isTagged, parseKey } from '../key-format.ts';
import type { KeyTable } from '../key-table.ts';

/** A revocation takes effect within this time in every process. */
const freshMs = 1000;
/** How long a confirmed key stays valid while the database fails, so that an outage does not lock out known callers. */
const graceMs = 3_600_000;
/** About 1 kB each. */
const capacity = 100_000;

/** A key that a client presented. */
interface Presented {
  readonly digest: Uint8Array;
  readonly text: string;
}

interface Parts {
  readonly table: Pick<KeyTable, 'find' | 'readChanges'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

export type StoredKeys = KeyCache<Presented, KeyRecord>;

/**
 * A cache of the keys in the database, which are used until they change. Text with our prefix and a wrong checksum is
 * refused without a query.
 */
export const createStoredKeys = ({ table, ...parts }: Parts): StoredKeys =>
  createKeyCache({
    ...parts,
    find: ({ digest }) => table.find(digest),
    readChanges: async (after) => {
      const { position, digests } = await table.readChanges(after);
      return { position, ...(digests && { ids: digests.map(formatDigest) }) };
    },
    isPossible: ({ text }) => !isTagged(text) || parseKey(text) !== undefined,
    freshMs,
    graceMs,
    capacity,
    describe: 'The keys in the database',
  });
