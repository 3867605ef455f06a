import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { Clock } from '../../contracts/services.ts';
import { MemoryItems, type ItemLimits, type KeptEntries } from './kept-items.ts';
import { KEEP_MS, type KeptTexts, type StateFound, type StateRecord, type StateRecords } from './records.ts';

/** About 30 MB. */
const MAX_RECORDS = 100_000;
/** Of one project, so that it cannot displace the records of all others. */
const MAX_OF_PROJECT = 20_000;

interface Entry {
  readonly record: StateRecord;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

/** Records in the memory of one process. Bounded: the oldest records go first. */
export class MemoryRecords implements StateRecords {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #most: number;
  readonly #mostOfProject: number;
  /** By digest, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** The digests of each owner, the oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #items: MemoryItems;

  constructor(clock: Pick<Clock, 'now'>, most = MAX_RECORDS, mostOfProject = MAX_OF_PROJECT) {
    this.#clock = clock;
    this.#items = new MemoryItems(clock);
    this.#most = most;
    this.#mostOfProject = mostOfProject;
  }

  find(digests: readonly string[]): StateFound {
    this.#removeExpired();
    return digests.map((digest) => this.#entries.get(digest)?.record ?? null);
  }

  add(digests: readonly string[], record: StateRecord): void {
    this.#removeExpired();
    const endsAt = this.#clock.now() + KEEP_MS;
    for (const digest of digests) {
      const known = this.#entries.get(digest);
      if (known !== undefined && known.record.owner !== record.owner) continue;
      this.#remove(digest);
      this.#set(digest, { record, endsAt });
    }
  }

  readItems(keys: readonly string[]): KeptTexts {
    return this.#items.read(keys);
  }

  writeItems(entries: KeptEntries, limits: ItemLimits): void {
    this.#items.write(entries, limits);
  }

  #set(digest: string, entry: Entry): void {
    const { owner } = entry.record;
    const own = this.#byOwner.get(owner) ?? new Set<string>();
    this.#byOwner.set(owner, own.add(digest));
    this.#entries.set(digest, entry);
    if (own.size > this.#mostOfProject) this.#removeOldest(own);
    if (this.#entries.size > this.#most) this.#removeOldest(this.#entries);
  }

  #removeOldest(digests: { keys(): Iterator<string> }): void {
    const oldest = digests.keys().next().value;
    if (typeof oldest === 'string') this.#remove(oldest);
  }

  /** All records are kept equally long, so the oldest expire first. */
  #removeExpired(): void {
    const now = this.#clock.now();
    for (const [digest, { endsAt }] of this.#entries) {
      if (endsAt > now) return;
      this.#remove(digest);
    }
  }

  #remove(digest: string): void {
    const owner = this.#entries.get(digest)?.record.owner;
    if (owner === undefined) return;
    this.#entries.delete(digest);
    const own = this.#byOwner.get(owner);
    own?.delete(digest);
    if (own?.size === 0) this.#byOwner.delete(owner);
  }
}

/** What a serving process sends to the main thread. JSON. */
export type StateMessage =
  | { readonly call: 'find'; readonly digests: readonly string[] }
  | { readonly call: 'add'; readonly digests: readonly string[]; readonly record: StateRecord }
  | { readonly call: 'readItems'; readonly keys: readonly string[] }
  | { readonly call: 'writeItems'; readonly entries: KeptEntries; readonly limits: ItemLimits };

/** The primary instance that holds the records of all processes of a host. */
export function createStateHolder(clock: Pick<Clock, 'now'>): PrimaryInstance {
  const records = new MemoryRecords(clock);
  return {
    handle: (received) => {
      const message = received as StateMessage;
      switch (message.call) {
        case 'find':
          return records.find(message.digests);
        case 'readItems':
          return records.readItems(message.keys);
        case 'add':
          records.add(message.digests, message.record);
          return null;
        case 'writeItems':
          records.writeItems(message.entries, message.limits);
          return null;
      }
    },
  };
}
