import type { Report } from '../messages.ts';
import { at, describeRow, type LedgerRow } from '../row.ts';
import { createSafeWrite } from './safe-write.ts';
import type { Spool } from './spool.ts';

/** How often a database is tried that failed. */
const RETRY_MS = 500;

export interface JournalParts {
  /** One transaction. @throws where the database does not take it */
  write(rows: readonly LedgerRow[]): Promise<void>;
  /** Takes openings back whose requests were refused, where they came to stand in the database after all. @throws as `write` */
  withdraw(ids: readonly string[]): Promise<void>;
  /** @throws as `write` */
  renewLease(): Promise<void>;
  readonly renewEveryMs: number;
  readonly spool: Spool;
  /** An opening that cannot be written refuses its request. Otherwise it waits here: what is settled meanwhile is spooled. */
  readonly strict: boolean;
  report(report: Report): void;
  log: WriteLog;
}
export type WriteLog = (level: 'info' | 'warn' | 'error', fields: object, text: string) => void;

/** Takes rows, whatever becomes of the database. */
export interface Journal {
  /** Resolves with whether they are in the database; if not, they wait for it. Never rejects. */
  take(rows: readonly LedgerRow[]): Promise<boolean>;
  /** What waits is left in the spool. */
  close(): void;
}

export function createJournal({
  write,
  withdraw,
  renewLease,
  renewEveryMs,
  spool,
  strict,
  report,
  log,
}: JournalParts): Journal {
  const openings = new Map<string, LedgerRow>();
  const withdrawn = new Set<string>();
  const since = { written: { database: 0, spool: 0 }, failed: { database: 0, spool: 0 } };
  let downSince: number | undefined;
  let isFull = false;
  let retrying: NodeJS.Timeout | undefined;

  const reportAll = (): void => {
    report({
      written: { ...since.written },
      failed: { ...since.failed },
      waiting: spool.size() + openings.size,
      waitingSince: downSince,
    });
    for (const counts of [since.written, since.failed]) Object.assign(counts, { database: 0, spool: 0 });
  };
  const writeSafely = createSafeWrite(write, (row, error) => {
    since.failed.database += 1;
    log('error', { error, row: describeRow(row) }, 'the database refuses a row of the ledger; it stands here instead');
  });
  const writeAll = async (rows: readonly LedgerRow[]): Promise<void> => {
    await writeSafely(rows);
    since.written.database += rows.length;
  };

  const fall = (error: unknown): void => {
    if (downSince !== undefined) return;
    downSince = Date.now();
    log(
      'error',
      { error },
      `the ledger cannot be written: ${strict ? 'requests are refused' : 'its rows are kept in a file'} until the database takes them again`,
    );
    retrying = setTimeout(rise, RETRY_MS);
  };
  const replay = async (): Promise<void> => {
    for (const part of spool.take()) {
      await writeAll(part.read());
      part.done();
    }
    const [opened, refused] = [[...openings.values()], [...withdrawn]];
    await writeAll(opened);
    await withdraw(refused);
    for (const row of opened) openings.delete(row[at.id]);
    for (const id of refused) withdrawn.delete(id);
    if (spool.size() + openings.size > 0) await replay();
  };
  const rise = async (): Promise<void> => {
    try {
      await renewLease();
      await replay();
      log(
        'info',
        { seconds: (Date.now() - (downSince ?? 0)) / 1_000 },
        'the ledger is written again, with everything that waited',
      );
      [downSince, isFull] = [undefined, false];
    } catch {
      retrying = setTimeout(rise, RETRY_MS);
    }
    reportAll();
  };

  const spoolAll = (rows: readonly LedgerRow[]): void => {
    if (rows.length === 0) return;
    const lost = spool.append(rows);
    since.written.spool += rows.length - lost;
    since.failed.spool += lost;
    if (lost > 0 && !isFull)
      log('error', { waiting: spool.size() }, 'the spool of the ledger is full: rows are lost from now on');
    isFull ||= lost > 0;
  };
  const keep = (rows: readonly LedgerRow[], wasTried: boolean): void => {
    for (const row of rows) {
      if (row[at.state] === 'settled') openings.delete(row[at.id]);
      else if (!strict) openings.set(row[at.id], row);
      else if (wasTried) withdrawn.add(row[at.id]);
    }
    spoolAll(rows.filter((row) => row[at.state] === 'settled'));
  };

  const take = async (rows: readonly LedgerRow[]): Promise<boolean> => {
    const isTried = downSince === undefined;
    try {
      if (isTried) {
        await writeAll(rows);
        return true;
      }
    } catch (error) {
      since.failed.database += rows.length;
      fall(error);
    }
    keep(rows, isTried);
    return false;
  };

  const renewing = setInterval(() => {
    if (downSince === undefined) renewLease().catch(fall);
  }, renewEveryMs);

  return {
    take: async (rows) => {
      const isWritten = await take(rows);
      reportAll();
      return isWritten;
    },
    close: () => {
      clearInterval(renewing);
      clearTimeout(retrying);
      spoolAll([...openings.values()]);
    },
  };
}
