import type { Report } from '../messages.ts';
import { at, describeRow, type LedgerRow } from '../row.ts';
import { createSafeWrite } from './safe-write.ts';
import type { Spool } from './spool.ts';

/** How often a database that is down is tried. */
const RETRY_MS = 500;

export const REJECTED_ROW = 'the database rejected a row of the ledger; it is only in this line';

export interface JournalParts {
  /** Writes rows in one transaction. @throws when the database fails */
  write(rows: readonly LedgerRow[]): Promise<void>;
  /** Deletes open rows of refused requests, in case they were written after all. @throws when the database fails */
  deleteOpen(ids: readonly string[]): Promise<void>;
  /** @throws when the database fails */
  renewLease(): Promise<void>;
  readonly renewEveryMs: number;
  /** A removed file can still be written, and what is written to it is lost. @throws when the file is not intact */
  checkFile(): void;
  readonly spool: Spool;
  /** An open row that cannot be written refuses its request. Otherwise it waits in memory; settled rows are spooled. */
  readonly strict: boolean;
  report(report: Report): void;
  log: WriteLog;
}
export type WriteLog = (level: 'info' | 'warn' | 'error', fields: object, text: string) => void;

/** Writes rows to the database, or keeps them while it is down. */
export class Journal {
  readonly #parts: JournalParts;
  readonly #writeSafely: (rows: readonly LedgerRow[]) => Promise<void>;
  readonly #openRows = new Map<string, LedgerRow>();
  /** Ids of open rows whose request was refused while it was unknown whether they were written. */
  readonly #refused = new Set<string>();
  /** Since the last report. */
  readonly #counts = { written: { database: 0, spool: 0 }, failed: { database: 0, spool: 0 } };
  #downSince: number | undefined;
  #isSpoolFull = false;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #renewTimer: NodeJS.Timeout;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#writeSafely = createSafeWrite(parts.write, (row, error) => {
      this.#counts.failed.database += 1;
      parts.log('error', { error, row: describeRow(row) }, REJECTED_ROW);
    });
    this.#renewTimer = setInterval(() => {
      if (this.#downSince === undefined) parts.renewLease().catch((error: unknown) => this.#goDown(error));
    }, parts.renewEveryMs);
  }

  /** Resolves with whether the rows are in the database; if not, they are kept. Never rejects. */
  async write(rows: readonly LedgerRow[]): Promise<boolean> {
    const isWritten = await this.#writeOrKeep(rows);
    this.#report();
    return isWritten;
  }

  /** Leaves everything that waits in the spool. */
  close(): void {
    clearInterval(this.#renewTimer);
    clearTimeout(this.#retryTimer);
    this.#spool([...this.#openRows.values()]);
  }

  async #writeOrKeep(rows: readonly LedgerRow[]): Promise<boolean> {
    const isUp = this.#downSince === undefined;
    try {
      if (isUp) {
        await this.#writeAll(rows);
        return true;
      }
    } catch (error) {
      this.#counts.failed.database += rows.length;
      this.#goDown(error);
    }
    this.#keep(rows, isUp);
    return false;
  }

  async #writeAll(rows: readonly LedgerRow[]): Promise<void> {
    await this.#writeSafely(rows);
    this.#counts.written.database += rows.length;
  }

  /** @param wasTried the rows may be in the database in spite of the failure */
  #keep(rows: readonly LedgerRow[], wasTried: boolean): void {
    for (const row of rows) {
      if (row[at.state] !== 'pending') this.#openRows.delete(row[at.id]);
      else if (!this.#parts.strict) this.#openRows.set(row[at.id], row);
      else if (wasTried) this.#refused.add(row[at.id]);
    }
    this.#spool(rows.filter((row) => row[at.state] !== 'pending'));
  }

  #spool(rows: readonly LedgerRow[]): void {
    if (rows.length === 0) return;
    const { spool, log } = this.#parts;
    const lost = spool.append(rows);
    this.#counts.written.spool += rows.length - lost;
    this.#counts.failed.spool += lost;
    if (lost > 0 && !this.#isSpoolFull)
      log('error', { waiting: spool.size() }, 'the spool of the ledger is full; new rows are lost');
    this.#isSpoolFull ||= lost > 0;
  }

  #goDown(error: unknown): void {
    if (this.#downSince !== undefined) return;
    this.#downSince = Date.now();
    const consequence = this.#parts.strict ? 'requests are refused' : 'its rows are kept in a file';
    this.#parts.log('error', { error }, `the ledger cannot be written; ${consequence} until the database is back`);
    this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    this.#retryTimer = setTimeout(() => void this.#recover(), RETRY_MS);
  }

  async #recover(): Promise<void> {
    try {
      await this.#parts.renewLease();
      await this.#replay();
      const seconds = (Date.now() - (this.#downSince ?? 0)) / 1_000;
      this.#parts.log('info', { seconds }, 'the ledger is written again, including all rows that waited');
      [this.#downSince, this.#isSpoolFull] = [undefined, false];
    } catch {
      this.#scheduleRetry();
    }
    this.#report();
  }

  /** Writes everything that waits, including what arrives meanwhile. */
  async #replay(): Promise<void> {
    const { spool, deleteOpen, checkFile } = this.#parts;
    for (const batch of spool.takeBatches()) {
      await this.#writeAll(batch.read());
      // The rows are kept until they are in a database that lasts.
      checkFile();
      batch.remove();
    }
    const [open, refused] = [[...this.#openRows.values()], [...this.#refused]];
    await this.#writeAll(open);
    await deleteOpen(refused);
    checkFile();
    for (const row of open) this.#openRows.delete(row[at.id]);
    for (const id of refused) this.#refused.delete(id);
    if (spool.size() + this.#openRows.size > 0) await this.#replay();
  }

  #report(): void {
    const { written, failed } = this.#counts;
    this.#parts.report({
      written: { ...written },
      failed: { ...failed },
      waiting: this.#parts.spool.size() + this.#openRows.size,
      waitingSince: this.#downSince,
    });
    for (const counts of [written, failed]) Object.assign(counts, { database: 0, spool: 0 });
  }
}
