import type { Clock, Log } from '../../../contracts/services.ts';
import { withAdvisoryLock } from '../../../services/database/advisory-lock.ts';
import type { Database } from '../../../services/database/database.ts';
import type { AuditTable } from '../../../services/database/schema.ts';
import { writeEntry, type AuditEntry } from './audit-entry.ts';
import { append, AUDIT_LOCK, prune } from './chain.ts';

/** Most different failures that are counted at the same time. */
const MOST = 1_000;

/**
 * Failed calls of the last minute. The first one of an actor, a call and a status is written at once. Its repetitions
 * are counted, and become one entry: a flood of refusals does not fill the audit log.
 */
class RepeatedFailures {
  #counted = new Map<string, AuditEntry & { readonly count: number }>();

  /** Whether another kind of failure would exceed the memory: {@link take} makes room. */
  get isFull(): boolean {
    return this.#counted.size >= MOST;
  }

  /** @returns whether it is a repetition, which was counted */
  add(entry: AuditEntry): boolean {
    const { kind, issuer, subject, actor, role, action, status } = entry;
    const key = JSON.stringify([kind, issuer, subject, actor, role, action, status]);
    const known = this.#counted.get(key);
    this.#counted.set(key, { ...entry, count: known === undefined ? 0 : known.count + 1 });
    return known !== undefined;
  }

  /** The counted repetitions, each with the time and the address of the last one. Counting begins anew. */
  take(): readonly AuditEntry[] {
    const counted = [...this.#counted.values()].filter(({ count }) => count > 0);
    this.#counted = new Map();
    return counted;
  }
}

/** Selects entries. An absent member matches any value. */
export interface AuditFilter {
  /** Unix milliseconds, `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly actor?: string;
  readonly subject?: string;
  readonly action?: string;
  /** Only entries that follow this one in the list. */
  readonly after?: Pick<AuditTable, 'at' | 'id'>;
  readonly limit: number;
}

const PRUNE_EVERY_MS = 3_600_000;
const FAILURES_MS = 60_000;
/** Entries of one transaction. */
const BATCH = 100;

/**
 * The changes that operators have made, in the database. Each entry has the digest of the one before. A database that
 * fails is logged: the log line of the call remains.
 */
export class AuditLog {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Pick<Log, 'error'>;
  readonly #retentionMs: number;
  readonly #failures = new RepeatedFailures();
  #timer: NodeJS.Timeout | undefined;
  #waiting: AuditEntry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #prunedAt = -Infinity;

  /** @param retentionMs how long entries are kept; older ones are deleted when one is written, at most once an hour */
  constructor(database: Database, clock: Pick<Clock, 'now'>, log: Pick<Log, 'error'>, retentionMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#retentionMs = retentionMs;
  }

  /** Resolves when the entry is written, or counted: {@link RepeatedFailures}. */
  record(entry: AuditEntry): Promise<void> {
    if (entry.status < 400) return this.#write([entry]);
    this.#timer ??= setTimeout(() => void this.writeFailures(), FAILURES_MS).unref();
    const earlier = this.#failures.isFull ? this.#failures.take() : [];
    return this.#failures.add(entry) ? this.#write(earlier) : this.#write([...earlier, entry]);
  }

  /** Writes the failures that were counted so far. Before the database is closed, nothing else may be lost. */
  writeFailures(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#write(this.#failures.take());
  }

  /** Newest first. @throws GatewayError `KOINE_STORE_FAILED` */
  list({ from, to, actor, subject, action, after, limit }: AuditFilter): Promise<readonly AuditTable[]> {
    let query = this.#database.selectFrom('audit').selectAll();
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (subject !== undefined) query = query.where('subject', '=', subject);
    if (action !== undefined) query = query.where('action', '=', action);
    if (from !== undefined) query = query.where('at', '>=', from);
    if (to !== undefined) query = query.where('at', '<', to);
    if (after !== undefined)
      query = query.where(({ eb, and, or }) =>
        or([eb('at', '<', after.at), and([eb('at', '=', after.at), eb('id', '<', after.id)])]),
      );
    return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  }

  /** One transaction at a time, with all entries that wait: writers of a chain wait for each other anyway. */
  #write(entries: readonly AuditEntry[]): Promise<void> {
    this.#waiting.push(...entries);
    this.#writing = this.#writing.then(() => this.#writeWaiting());
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const rows = batch.map(writeEntry);
        await withAdvisoryLock(this.#database, AUDIT_LOCK, (transaction) => append(transaction, rows));
      } catch (error) {
        for (const { action } of batch)
          this.#log.error({ error, action }, 'an entry of the audit log could not be written');
        continue;
      }
      await this.#prune();
    }
  }

  async #prune(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    const before = now - this.#retentionMs;
    try {
      while (await withAdvisoryLock(this.#database, AUDIT_LOCK, (transaction) => prune(transaction, before)));
    } catch (error) {
      this.#log.error({ error }, 'old entries of the audit log could not be deleted');
    }
  }
}
