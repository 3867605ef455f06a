import { hash } from 'node:crypto';
import type { Bucket, BucketKind } from '../store.ts';
import {
  CURSOR,
  EMPTY,
  FIRST_HEAD,
  HEADS,
  LINKS,
  NAMED,
  NAMED_LINKS,
  ROOT,
  type Arena,
} from '../../../../core/api/internal.ts';
import { Calendar } from './calendar.ts';
import { CHAIN, DIGEST, DIGEST_END, KIND, PER } from './entry.ts';
import { Leases } from './leases.ts';
import { SlidingWindow } from './sliding-window.ts';
import type { Moment, Tally } from './tally.ts';
import { TokenBucket } from './token-bucket.ts';

/** Sweep steps per new bucket: more than one, so that the sweep gets through all of them. */
const STEPS_PER_NEW = 2;

const DIGEST_BYTES = 6;
const kindNames: readonly BucketKind[] = ['window', 'token-bucket', 'calendar', 'leases'];

/** The key of a bucket, as its entry has it, and where the entry was last. */
export interface EntryKey {
  readonly tenant: string;
  readonly digest: number;
  readonly digestEnd: number;
  at: number;
}

/** @param key of the bucket */
export const createEntryKey = (tenant: string, key: string): EntryKey => {
  const digest = hash('sha256', `${tenant}\n${key}`, 'buffer');
  return {
    tenant,
    // An entry is recognized by it: 0 would be none.
    digest: digest.readUIntBE(0, DIGEST_BYTES) || 1,
    digestEnd: digest.readUIntBE(DIGEST_BYTES, DIGEST_BYTES),
    at: EMPTY,
  };
};

const headOf = ({ digestEnd }: EntryKey): number => FIRST_HEAD + (digestEnd % HEADS);

/** The entries of a shard by organization and key. An incremental sweep drops those that are idle. */
export class Entries {
  readonly calendar: Calendar;
  readonly #arena: Arena;
  readonly #kinds: Readonly<Record<BucketKind, Tally>>;
  /** Digests are computed once for each bucket. */
  readonly #entryKeys = new WeakMap<Bucket, EntryKey>();
  readonly #hasRoom: () => boolean;
  #hasNewNamed = false;
  /** Sweep steps that are due for buckets added since the last one. */
  #owed = 0;

  /** @param hasRoom false: there are more entries of users and tags than are kept */
  constructor(arena: Arena, hasRoom: () => boolean) {
    this.#arena = arena;
    this.#hasRoom = hasRoom;
    this.calendar = new Calendar(arena);
    this.#kinds = {
      window: new SlidingWindow(arena),
      'token-bucket': new TokenBucket(arena),
      calendar: this.calendar,
      leases: new Leases(arena),
    };
  }

  tallyOf(kind: BucketKind): Tally {
    return this.#kinds[kind];
  }

  /** What counts the entry at this place. */
  tallyAt(at: number): Tally {
    return this.#kinds[kindNames[this.#arena.get(at + KIND)] ?? 'leases'];
  }

  keyOf(tenant: string, bucket: Bucket): EntryKey {
    const known = this.#entryKeys.get(bucket);
    if (known?.tenant === tenant) return known;
    const entryKey = createEntryKey(tenant, bucket.key);
    this.#entryKeys.set(bucket, entryKey);
    return entryKey;
  }

  /** A bucket that has counted nothing gets the empty entry, in which nothing is written. */
  find(entryKey: EntryKey): number {
    if (this.#isAt(entryKey.at, entryKey)) return entryKey.at;
    let at = this.#arena.get(headOf(entryKey));
    while (at !== 0 && !this.#isAt(at, entryKey)) at = this.#arena.get(at + CHAIN);
    return at === 0 ? EMPTY : (entryKey.at = at);
  }

  /** The entry of a bucket, which is created if there is none. One of a user or tag becomes the one used last. */
  keep(entryKey: EntryKey, bucket: Bucket): number {
    const known = this.find(entryKey);
    const at = known === EMPTY ? this.#create(entryKey, bucket) : known;
    if (bucket.isNamed === true) this.#keepNamed(at);
    return at;
  }

  /** Drops the users and tags that were not used for longest, if there are too many. Called when a call has counted. */
  dropOldest(): void {
    if (!this.#hasNewNamed) return;
    this.#hasNewNamed = false;
    while (!this.#hasRoom()) {
      const oldest = this.#arena.next(ROOT, NAMED_LINKS);
      if (oldest === ROOT) return;
      this.#drop(oldest);
    }
  }

  /** Checks a few entries, and drops those that are idle. */
  sweep(now: Moment): void {
    const steps = this.#owed + 1;
    this.#owed = 0;
    for (let step = 0; step < steps; step += 1) {
      const at = this.#arena.next(this.#arena.get(CURSOR), LINKS);
      this.#arena.put(CURSOR, at);
      if (at === ROOT) return;
      if (this.tallyAt(at).isIdle(at, now)) this.#drop(at);
    }
  }

  #isAt(at: number, { digest, digestEnd }: EntryKey): boolean {
    return this.#arena.get(at + DIGEST) === digest && this.#arena.get(at + DIGEST_END) === digestEnd;
  }

  #create(entryKey: EntryKey, { kind, per }: Bucket): number {
    const arena = this.#arena;
    const at = arena.allocate(this.#kinds[kind].size);
    const head = headOf(entryKey);
    arena.put(at + CHAIN, arena.get(head));
    arena.put(head, at);
    arena.put(at + DIGEST, entryKey.digest);
    arena.put(at + DIGEST_END, entryKey.digestEnd);
    arena.put(at + KIND, kindNames.indexOf(kind));
    arena.put(at + PER, per);
    arena.append(ROOT, at, LINKS);
    this.#owed += STEPS_PER_NEW;
    entryKey.at = at;
    return at;
  }

  #keepNamed(at: number): void {
    const arena = this.#arena;
    if (arena.next(at, NAMED_LINKS) !== 0) arena.unlink(at, NAMED_LINKS);
    else {
      arena.add(NAMED, 1);
      this.#hasNewNamed = true;
    }
    arena.append(ROOT, at, NAMED_LINKS);
  }

  #drop(at: number): void {
    const arena = this.#arena;
    if (arena.get(CURSOR) === at) arena.put(CURSOR, arena.previous(at, LINKS));
    if (arena.next(at, NAMED_LINKS) !== 0) {
      arena.unlink(at, NAMED_LINKS);
      arena.add(NAMED, -1);
    }
    let before = FIRST_HEAD + (arena.get(at + DIGEST_END) % HEADS);
    // The head of a chain is its first word, as it is of an entry.
    while (arena.get(before + CHAIN) !== at) before = arena.get(before + CHAIN);
    arena.put(before + CHAIN, arena.get(at + CHAIN));
    arena.unlink(at, LINKS);
    arena.put(at + DIGEST, 0);
    arena.free(at, this.tallyAt(at).size);
  }
}
