import type { Report } from '../messages.ts';
import { at, describeRow, type LedgerRow } from '../row.ts';
import { createSafeWrite } from './safe-write.ts';

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
  /** An open row that cannot be written refuses its request. */
  readonly strict: boolean;
  report(report: Report): void;
  log: WriteLog;
}
export type WriteLog = (level: 'info' | 'warn' | 'error', fields: object, text: string) => void;

/** Writes rows to the database while it is up. The main thread keeps those that it could not write. */
export class Journal {
  readonly #parts: JournalParts;
  readonly #writeSafely: (rows: readonly LedgerRow[]) => Promise<void>;
  /** Ids of open rows whose request was refused while it was unknown whether they were written. */
  readonly #refused = new Set<string>();
  /** Since the last report. */
  readonly #counts = { written: 0, failed: 0 };
  #downSince: number | undefined;
  /** The log says that the database is down. A database can renew a lease and yet not take any row. */
  #isLogged = false;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #renewTimer: NodeJS.Timeout;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#writeSafely = createSafeWrite(parts.write, (row, error) => {
      this.#counts.failed += 1;
      parts.log('error', { error, row: describeRow(row) }, REJECTED_ROW);
    });
    this.#renewTimer = setInterval(() => {
      if (this.#downSince === undefined) parts.renewLease().catch((error: unknown) => this.#goDown(error));
    }, parts.renewEveryMs);
  }

  /** Begins the lease. Without the database, it begins when that is back. */
  async begin(): Promise<void> {
    await this.#parts.renewLease().catch((error: unknown) => this.#goDown(error));
  }

  /** Resolves with whether the rows are in a database that lasts. Never rejects. */
  async write(rows: readonly LedgerRow[]): Promise<boolean> {
    const isWritten = this.#downSince === undefined && (await this.#tryWrite(rows));
    this.#report();
    return isWritten;
  }

  close(): void {
    clearInterval(this.#renewTimer);
    clearTimeout(this.#retryTimer);
  }

  async #tryWrite(rows: readonly LedgerRow[]): Promise<boolean> {
    try {
      await this.#writeSafely(rows);
      this.#parts.checkFile();
      this.#counts.written += rows.length;
      this.#isLogged = false;
      return true;
    } catch (error) {
      this.#counts.failed += rows.length;
      // They may be in the database in spite of the failure.
      if (this.#parts.strict) for (const row of rows) if (row[at.state] === 'pending') this.#refused.add(row[at.id]);
      this.#goDown(error);
      return false;
    }
  }

  #goDown(error: unknown): void {
    if (this.#downSince !== undefined) return;
    this.#downSince = Date.now();
    const consequence = this.#parts.strict ? 'requests are refused' : 'its rows are kept in a file';
    if (!this.#isLogged)
      this.#parts.log('error', { error }, `the ledger cannot be written; ${consequence} until the database is back`);
    this.#isLogged = true;
    this.#report();
    this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    this.#retryTimer = setTimeout(() => void this.#recover(), RETRY_MS);
  }

  async #recover(): Promise<void> {
    const refused = [...this.#refused];
    try {
      await this.#parts.renewLease();
      await this.#parts.deleteOpen(refused);
      this.#downSince = undefined;
    } catch {
      this.#scheduleRetry();
      return;
    }
    for (const id of refused) this.#refused.delete(id);
    this.#report();
  }

  #report(): void {
    this.#parts.report({ ...this.#counts, downSince: this.#downSince });
    Object.assign(this.#counts, { written: 0, failed: 0 });
  }
}
