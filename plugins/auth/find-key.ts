import type { KeyDirectory, KeyRecord } from '../../core/api/index.ts';
import type { KeyCache } from '../../core/api/internal.ts';

/** A key as a client presented it. */
export interface PresentedKey {
  readonly digest: Buffer;
  readonly text: string;
}

type Lookup = KeyRecord | undefined | Promise<KeyRecord | undefined>;
/** Synchronous when the key is in memory. @throws (or rejects) when no source responds */
export type FindKey = (presented: PresentedKey) => Lookup;

/**
 * Looks a key up in the configuration, the database and the key service, in this order. While the database is down, a
 * key that the service confirms is accepted; when the service does not confirm it, the lookup fails.
 */
export function createFindKey(directory: KeyDirectory, remote: KeyCache<Uint8Array, KeyRecord> | undefined): FindKey {
  if (remote === undefined) return directory.find;
  const findRemote = ({ digest }: PresentedKey): Lookup => remote.find(digest.toString('hex'), digest);
  const findRemoteInstead = async (presented: PresentedKey, failure: unknown): Promise<KeyRecord> => {
    const record = await Promise.resolve(findRemote(presented)).catch(() => undefined);
    if (record === undefined) throw failure;
    return record;
  };
  return (presented) => {
    let found: Lookup;
    try {
      found = directory.find(presented);
    } catch (failure) {
      return findRemoteInstead(presented, failure);
    }
    if (!(found instanceof Promise)) return found ?? findRemote(presented);
    return found.then(
      (record) => record ?? findRemote(presented),
      (failure: unknown) => findRemoteInstead(presented, failure),
    );
  };
}
