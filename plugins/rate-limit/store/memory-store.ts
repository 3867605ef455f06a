import type { Clock } from '../../../core/api/index.ts';
import type { BucketState, Charge, Debit, Decision, LimitStore, ReserveRequest, Spent } from './store.ts';
import { createMemory, EMPTY, EPOCH } from '../../../core/api/internal.ts';
import { createEntryKey, type EntryKey } from './memory/entries.ts';
import { prepare, take } from './memory/charge.ts';
import { Reservations, type Reservation } from './memory/reservations.ts';
import { Shard, type Thread } from './memory/shard.ts';
import { missingBaselineOf, statesOf } from './memory/state-of.ts';
import type { Moment } from './memory/tally.ts';

/** Entries of users and tags that are kept. Clients can name any number of them. */
const MAX_NAMED = 50_000;

const mainThread: Thread = { worker: 0, aheadMs: 0 };
const none: readonly number[] = [];

/** An even spread over the shards: one organization is in one of them. */
const hashOf = (tenant: string): number => {
  let sum = 0x81_1c_9d_c5;
  for (let at = 0; at < tenant.length; at += 1) sum = Math.imul(sum ^ tenant.charCodeAt(at), 0x01_00_01_93);
  return sum >>> 0;
};

/**
 * The store in the memory of this process, which its threads share: no call makes a promise. It counts by the same
 * rules as Redis, and outlives reloads. Each thread has an instance over the same memory. It knows its own
 * reservations, and releases those whose leases expire; the memory has them for the case that the thread ends.
 */
export class MemoryStore implements LimitStore {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #shards: readonly Shard[];
  readonly #reservations = new Reservations();
  readonly #thread: Thread;

  constructor(
    clock: Pick<Clock, 'now' | 'monotonic'>,
    memory: readonly SharedArrayBuffer[] = createMemory(1),
    thread = mainThread,
    maxNamed = MAX_NAMED,
  ) {
    this.#clock = clock;
    this.#thread = thread;
    const hasRoom = (): boolean => this.#shards.reduce((sum, { named }) => sum + named, 0) <= maxNamed;
    this.#shards = memory.map((each) => new Shard(each, thread, hasRoom));
  }

  reserve(request: ReserveRequest): Decision {
    const { tenant, charges } = request;
    const shard = this.#shardOf(tenant);
    const { arena, entries } = shard;
    const now = this.#enter(shard);
    try {
      const entryKeys: EntryKey[] = [];
      const ats: number[] = [];
      const waits: number[] = [];
      let undecided = false;
      let refusedBy = -1;
      let longestMs = 0;
      for (const charge of charges) {
        const { bucket, amount } = charge;
        const entryKey = entries.keyOf(tenant, bucket);
        const at = prepare(entries, request, charge, entryKey, now);
        const waitMs = amount === 0 ? 0 : entries.tallyOf(bucket.kind).waitMs(at, charge, now);
        undecided ||= missingBaselineOf(entries, at, charge, now) !== undefined;
        // The refused charge with the longest wait is reported.
        if (waitMs > longestMs && bucket.enforce) {
          refusedBy = ats.length;
          longestMs = waitMs;
        }
        entryKeys.push(entryKey);
        ats.push(at);
        waits.push(waitMs);
      }
      const admitted = !undecided && refusedBy === -1;
      const marks = admitted ? take(entries, charges, entryKeys, ats, now) : undefined;
      const states = statesOf(entries, ats, charges, waits, now);
      entries.dropOldest();
      if (admitted) entries.sweep(now);
      const record = marks === undefined || this.#thread.worker === 0 ? 0 : shard.held.add(ats, charges, marks);
      arena.commit();
      if (marks !== undefined) this.#reservations.add(request, { entryKeys, marks, record }, now.monotonic);
      return admitted || undecided
        ? { admitted, states }
        : { admitted, states, refusedBy: { charge: refusedBy, waitMs: longestMs } };
    } finally {
      arena.leave();
    }
  }

  /** No baseline contains what is settled here: a settlement does not wait. */
  settle(tenant: string, id: string, actual: readonly number[]): readonly Spent[] | undefined {
    const now = this.#releaseExpired();
    const reservation = this.#reservations.find(tenant, id);
    if (reservation === undefined) return undefined;
    const spent = this.#replace(reservation, actual, now);
    this.#reservations.remove(reservation);
    return spent;
  }

  refresh(tenant: string, ids: readonly string[], leaseMs: number): void {
    const now = this.#releaseExpired();
    for (const id of ids) this.#reservations.refresh(tenant, id, leaseMs, now);
  }

  renew(tenant: string, charges: readonly Charge[]): void {
    this.#within(tenant, ({ entries }, now) => {
      for (const charge of charges)
        if (charge.baseline !== undefined && charge.bucket.kind === 'calendar')
          entries.calendar.applyBaseline(
            entries.keep(entries.keyOf(tenant, charge.bucket), charge.bucket),
            charge,
            now,
          );
    });
  }

  /**
   * Corrects what is known of budgets, after an exchange that the shared store had admitted and has not settled.
   * @param changes by how much it has cost more than it had reserved; below 0, if it has cost less
   */
  correct(tenant: string, changes: readonly Debit[]): void {
    this.#within(tenant, ({ entries }) => {
      for (const { key, start, amount } of changes)
        entries.calendar.correct(entries.find(createEntryKey(tenant, key)), start, amount);
    });
  }

  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] {
    return this.#within(tenant, ({ entries }, now) => {
      const ats = charges.map(({ bucket }) => entries.find(entries.keyOf(tenant, bucket)));
      return statesOf(entries, ats, charges, none, now);
    });
  }

  /** The ledger has found earlier spending: every baseline is read again before its budget admits anything. */
  outdateBaselines(): void {
    for (const shard of this.#shards) {
      this.#enter(shard);
      shard.arena.put(EPOCH, shard.arena.get(EPOCH) + 1);
      shard.arena.commit();
      shard.arena.leave();
    }
  }

  /**
   * Gives back what a worker thread that has ended had reserved.
   * @returns false if a shard could not be entered: to be called again
   */
  release(worker: number): boolean {
    const now = { monotonic: this.#monotonic(), wall: this.#clock.now() };
    for (const shard of this.#shards) {
      try {
        shard.release(worker, now);
      } catch {
        return false;
      }
    }
    return true;
  }

  #shardOf(tenant: string): Shard {
    const { length } = this.#shards;
    const shard = this.#shards[length === 1 ? 0 : hashOf(tenant) % length];
    if (shard === undefined) throw new Error('The counts of the limits have no memory.');
    return shard;
  }

  #monotonic(): number {
    return Math.floor(this.#clock.monotonic() + this.#thread.aheadMs);
  }

  /** Releases first what has expired. From here until `leave` no other thread is in the shard. */
  #enter(shard: Shard): Moment {
    const monotonic = this.#releaseExpired();
    return { monotonic: shard.arena.enter(monotonic), wall: this.#clock.now() };
  }

  #within<T>(tenant: string, call: (shard: Shard, now: Moment) => T): T {
    const shard = this.#shardOf(tenant);
    const now = this.#enter(shard);
    try {
      const result = call(shard, now);
      shard.entries.dropOldest();
      shard.arena.commit();
      return result;
    } finally {
      shard.arena.leave();
    }
  }

  /** Releases reservations whose leases have expired. Called before anything is counted. @returns monotonic time */
  #releaseExpired(): number {
    const now = this.#monotonic();
    for (const orphan of this.#reservations.removeExpired(now))
      this.#replace(
        orphan,
        orphan.charges.map(({ kept = 0 }) => kept),
        now,
      );
    return now;
  }

  /** @param monotonic milliseconds */
  #replace(
    { tenant, charges, entryKeys, marks, record, isLate }: Reservation,
    actual: readonly number[],
    monotonic: number,
  ): readonly Spent[] {
    const shard = this.#shardOf(tenant);
    const { arena, entries, held } = shard;
    const now = { monotonic: arena.enter(monotonic), wall: this.#clock.now() };
    try {
      const spent: Spent[] = [];
      for (let index = 0; index < charges.length; index += 1) {
        const charge = charges[index];
        const entryKey = entryKeys[index];
        if (charge === undefined || entryKey === undefined) continue;
        const { bucket, amount } = charge;
        const start = marks[index] ?? 0;
        const used = actual[index] ?? 0;
        const tally = entries.tallyOf(bucket.kind);
        let at = entries.find(entryKey);
        // An entry that was dropped had nothing to give back.
        if (at === EMPTY && used > amount) at = entries.keep(entryKey, bucket);
        if (at !== EMPTY) tally.settle(at, charge, start, used, now, isLate);
        if (at !== EMPTY && bucket.isNamed === true && !tally.isIdle(at, now)) entries.keep(entryKey, bucket);
        if (bucket.kind === 'calendar') spent.push({ charge: index, start, spent: entries.calendar.spent(at, start) });
      }
      entries.dropOldest();
      if (record !== 0) held.remove(record);
      arena.commit();
      return spent;
    } finally {
      arena.leave();
    }
  }
}
