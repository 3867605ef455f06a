import { parentPort, workerData } from 'node:worker_threads';
import { dialectOf, openDatabase, sql } from '../../../core/index.ts';
import type { FromThread, HousekeepingSettings, ThreadSettings, ToThread, WriteSettings } from '../messages.ts';
import { questions } from '../read/questions.ts';
import type { LedgerRow } from '../row.ts';
import { fileOf, isPrivate } from '../settings.ts';
import { ledgerTables, type LedgerSchema } from '../tables.ts';
import type { LedgerDatabase } from './insert.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createJournal, type Journal, type WriteLog } from './journal.ts';
import { endLease, renewLease } from './processes.ts';
import { watchSoundFile } from './sound-file.ts';
import { createSpool } from './spool.ts';
import { createCountRollup, createWriteRows } from './write-rows.ts';

// A thread of the ledger: it has a database of its own and its own event loop, so that neither a write nor a question holds up a request.

/** How long the database may take for a statement of the ledger before its rows go to the spool. */
const WRITE_MS = 1_000;
const READ_MS = 30_000;
/** A lease is renewed so often while it holds. */
const RENEWALS = 5;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const post = (message: FromThread): void => parentPort?.postMessage(message);
const log: WriteLog = (level, { error, ...fields }: { readonly error?: unknown }, text) =>
  post({
    kind: 'log',
    level,
    fields: error === undefined ? fields : { ...fields, error: error instanceof Error ? error.message : String(error) },
    text,
  });

/** @param patienceMs how long a statement may take */
const open = async (
  url: string,
  patienceMs: number,
  durability: WriteSettings['durability'] = 'batched',
): Promise<LedgerDatabase> => {
  const database = await openDatabase<LedgerSchema>(url, ledgerTables(patienceMs));
  if (dialectOf(database).name === 'postgres') return database;
  await sql`PRAGMA synchronous = ${sql.raw(durability === 'strict' ? 'FULL' : 'NORMAL')}`.execute(database);
  return database;
};

const startJournal = async (
  database: LedgerDatabase,
  file: string | undefined,
  { process, durability, leaseMs, spool }: WriteSettings,
): Promise<Journal> => {
  const writeRows = createWriteRows(database, createCountRollup(database));
  await renewLease(database, process, leaseMs);
  const { look, explain } = watchSoundFile(file);
  return createJournal({
    write: (rows) => explain(() => writeRows(process, rows)),
    withdraw: async (ids) =>
      void (
        ids.length > 0 &&
        (await database.deleteFrom('ledger').where('id', 'in', ids).where('state', '=', 'pending').execute())
      ),
    renewLease: () =>
      explain(async () => {
        look();
        await renewLease(database, process, leaseMs);
      }),
    renewEveryMs: leaseMs / RENEWALS,
    spool: createSpool(spool.path, process, spool, (error) =>
      log('error', { error }, 'the spool of the ledger cannot be written: its rows wait in memory'),
    ),
    strict: durability === 'strict',
    report: (report) => post({ kind: 'report', report }),
    log,
  });
};

const serve = (database: LedgerDatabase, settings: ThreadSettings, journal: Journal | undefined): void => {
  /** Not the one that rows are written on: they do not wait for it, nor it for them, and it may take longer. */
  let other: Promise<LedgerDatabase> | undefined;
  const openOther = (): Promise<LedgerDatabase> => {
    if (settings.writes === undefined || isPrivate(settings.url)) return Promise.resolve(database);
    return (other ??= open(settings.url, READ_MS).catch((error: unknown) => {
      other = undefined;
      throw error;
    }));
  };
  let endHousekeeping: (() => Promise<void>) | undefined;
  const keepHouse = (house: HousekeepingSettings): void => {
    // What is asked first is answered at once. Where it cannot be opened, the first question says so.
    openOther().catch(() => {});
    endHousekeeping ??= startHousekeeping(openOther, house, log, () => post({ kind: 'found' }));
  };
  const answer = async ({ id, question, query }: Extract<ToThread, { kind: 'ask' }>): Promise<void> => {
    const ask = questions[question] as (asked: LedgerDatabase, query: unknown) => Promise<unknown>;
    try {
      post({ kind: 'answer', id, value: await ask(await openOther(), query) });
    } catch (error) {
      post({ kind: 'refusal', id, message: error instanceof Error ? error.message : String(error) });
    }
  };
  const close = async (): Promise<void> => {
    journal?.close();
    await endHousekeeping?.();
    await other?.then((opened) => opened.destroy()).catch(() => {});
    if (settings.writes !== undefined) await endLease(database, settings.writes.process).catch(() => {});
    await database.destroy();
    parentPort?.close();
  };
  const write = async (text: string): Promise<void> => {
    const isWritten = await journal?.take(JSON.parse(text) as readonly LedgerRow[]);
    post({ kind: 'taken', written: isWritten === true });
  };
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'rows') void write(message.text);
    else if (message.kind === 'ask') void answer(message);
    else if (message.kind === 'keep-house') keepHouse(message.settings);
    else void close();
  });
};

const settings = workerData as ThreadSettings;
try {
  const database = await open(
    settings.url,
    settings.writes === undefined ? READ_MS : WRITE_MS,
    settings.writes?.durability,
  );
  const journal = settings.writes && (await startJournal(database, fileOf(settings.url), settings.writes));
  serve(database, settings, journal);
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
