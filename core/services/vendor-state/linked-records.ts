import type { PrimaryLink } from '../../contracts/services.ts';
import type { StateMessage } from './memory-records.ts';
import type { KeptTexts, StateFound, StateRecords } from './records.ts';

/** The primary responds in microseconds. The limit is far longer, so that a busy primary does not cost requests. */
const TIMEOUT_MS = 1_000;

/** The records of the main thread, which all processes of a host share. Within one process without a promise. */
export const createLinkedRecords = (link: PrimaryLink): StateRecords => ({
  find: (digests) =>
    link.call({ call: 'find', digests } satisfies StateMessage, TIMEOUT_MS) as StateFound | Promise<StateFound>,
  add: (digests, record) => link.call({ call: 'add', digests, record } satisfies StateMessage, TIMEOUT_MS),
  readItems: (keys) =>
    link.call({ call: 'readItems', keys } satisfies StateMessage, TIMEOUT_MS) as KeptTexts | Promise<KeptTexts>,
  writeItems: (entries, limits) =>
    link.call({ call: 'writeItems', entries, limits } satisfies StateMessage, TIMEOUT_MS),
});
