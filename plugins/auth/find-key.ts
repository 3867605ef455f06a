import type { KeyCache, KeyDirectory, KeyRecord } from '../../core/index.ts';

/** A key as it was presented. */
export interface PresentedKey {
  readonly digest: Buffer;
  readonly text: string;
}

type Answer = KeyRecord | undefined | Promise<KeyRecord | undefined>;
/** At once where somebody knows the key at once. @throws, or rejects, where it cannot be known who it is */
export type FindKey = (presented: PresentedKey) => Answer;

/**
 * Asks the configuration, the database and the key service, in this order. While the database cannot be asked, a key that the service
 * confirms goes on; where the service does not, nothing is known.
 */
export function createFindKey(directory: KeyDirectory, remote: KeyCache<Uint8Array, KeyRecord> | undefined): FindKey {
  if (remote === undefined) return directory.find;
  const askRemote = ({ digest }: PresentedKey): Answer => remote.find(digest.toString('hex'), digest);
  const askInstead = async (presented: PresentedKey, failure: unknown): Promise<KeyRecord> => {
    const record = await Promise.resolve(askRemote(presented)).catch(() => undefined);
    if (record === undefined) throw failure;
    return record;
  };
  return (presented) => {
    let found: Answer;
    try {
      found = directory.find(presented);
    } catch (failure) {
      return askInstead(presented, failure);
    }
    if (!(found instanceof Promise)) return found ?? askRemote(presented);
    return found.then(
      (record) => record ?? askRemote(presented),
      (failure: unknown) => askInstead(presented, failure),
    );
  };
}
