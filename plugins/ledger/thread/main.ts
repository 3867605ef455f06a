import { parentPort, workerData } from 'node:worker_threads';
import type {
  FromThread,
  HousekeepingSettings,
  RowsToWrite,
  ThreadSettings,
  ToThread,
  WriteSettings,
} from '../messages.ts';
import { queries } from '../read/queries.ts';
import type { LedgerRow } from '../row.ts';
import { databaseFileOf, isInMemory } from '../settings.ts';
import { startShipping } from '../sinks/shipping.ts';
import { readSpoolFile } from '../spool/spool-files.ts';
import { watchDatabaseFile, type DatabaseFile } from './database-file.ts';
import { startHousekeeping, type RunningHousekeeping } from './housekeeping.ts';
import type { LedgerDatabase } from './insert.ts';
import { Journal, type WriteLog } from './journal.ts';
import { endLease, renewLease } from './leases.ts';
import { openLedger, openToWrite } from './open-ledger.ts';
import { createPartitions, undoConversion } from './partitions.ts';
import { createSearchIndexes } from './search-indexes.ts';
import { createAddRollup, createWriteRows } from './write-rows.ts';

// The program of a ledger thread. It has its own event loop and connections, so that no write or query holds up
// requests.

const RENEWALS_PER_LEASE = 5;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
const post = (message: FromThread): void => parentPort?.postMessage(message);
const log: WriteLog = (level, { error, ...fields }: { readonly error?: unknown }, text) =>
  post({ kind: 'log', level, fields: error === undefined ? fields : { ...fields, error: messageOf(error) }, text });

const startJournal = async (
  database: LedgerDatabase,
  { check, explain }: DatabaseFile,
  { process, durability, leaseMs }: WriteSettings,
): Promise<Journal> => {
  const writeRows = createWriteRows(database, createAddRollup(database));
  await renewLease(database, process, leaseMs);
  return new Journal({
    write: (rows) => explain(() => writeRows(process, rows)),
    deleteOpen: async (ids) =>
      void (
        ids.length > 0 &&
        (await database.deleteFrom('ledger').where('id', 'in', ids).where('state', '=', 'pending').execute())
      ),
    renewLease: () =>
      explain(async () => {
        check();
        await renewLease(database, process, leaseMs);
      }),
    renewEveryMs: leaseMs / RENEWALS_PER_LEASE,
    checkFile: check,
    strict: durability === 'strict',
    report: (report) => post({ kind: 'report', report }),
    log,
  });
};

/** Handles the messages of the main thread. */
class MessageHandler {
  readonly #settings: ThreadSettings;
  readonly #database: LedgerDatabase;
  readonly #file: DatabaseFile;
  readonly #journal: Journal | undefined;
  /** For queries and housekeeping: rows do not wait for them there, and they may take longer. */
  #readDatabase: Promise<LedgerDatabase> | undefined;
  #housekeeping: RunningHousekeeping | undefined;
  /** Ends the shipping of rows. */
  readonly #stopShipping: (() => Promise<void>) | undefined;

  constructor(settings: ThreadSettings, database: LedgerDatabase, file: DatabaseFile, journal: Journal | undefined) {
    this.#settings = settings;
    this.#database = database;
    this.#file = file;
    this.#journal = journal;
    this.#stopShipping =
      settings.shipping &&
      startShipping(database, settings.shipping, { log, report: (report) => post({ kind: 'sink-report', report }) });
  }

  handle(message: ToThread): void {
    if (message.kind === 'rows') void this.#write(message);
    else if (message.kind === 'query') void this.#query(message);
    else if (message.kind === 'housekeeping') this.#startHousekeeping(message.settings);
    else void this.#close();
  }

  async #write({ text, file }: RowsToWrite): Promise<void> {
    const given = JSON.parse(text) as readonly LedgerRow[];
    const waiting = file === undefined ? [] : this.#read(file);
    const isWritten = waiting !== undefined && (await this.#journal?.write([...waiting, ...given]));
    post({ kind: 'accepted', written: isWritten === true });
  }

  #read(file: string): readonly LedgerRow[] | undefined {
    try {
      return readSpoolFile(file);
    } catch (error) {
      log('error', { error, file }, 'a file of the spool of the ledger cannot be read; its rows wait in it');
      return undefined;
    }
  }

  async #query({ id, name, parameters }: Extract<ToThread, { kind: 'query' }>): Promise<void> {
    const query = queries[name] as (database: LedgerDatabase, parameters: unknown) => Promise<unknown>;
    try {
      post({ kind: 'result', id, value: await query(await this.#openReadDatabase(), parameters) });
    } catch (error) {
      post({ kind: 'query-failed', id, message: messageOf(error) });
    }
  }

  #startHousekeeping(settings: HousekeepingSettings): void {
    this.#prepareTable(settings).catch(() => {});
    this.#housekeeping ??= startHousekeeping(() => this.#openReadDatabase(), {
      settings,
      process: this.#settings.writes?.process ?? '',
      checkFile: this.#file.check,
      log,
      onSpendingChanged: () => post({ kind: 'spending-changed' }),
    });
    this.#housekeeping.replay();
  }

  /** Opens the database now, so that the first query does not wait for it. Its failure is reported to that query. */
  async #prepareTable({ retentionMs }: HousekeepingSettings): Promise<void> {
    const { url } = this.#settings;
    const database = await this.#openReadDatabase();
    await undoConversion(database);
    await createSearchIndexes(database, url, log);
    await createPartitions(database, url, retentionMs, Date.now(), log);
  }

  #openReadDatabase(): Promise<LedgerDatabase> {
    const { url, writes } = this.#settings;
    if (writes === undefined || isInMemory(url)) return Promise.resolve(this.#database);
    return (this.#readDatabase ??= openLedger(url).catch((error: unknown) => {
      this.#readDatabase = undefined;
      throw error;
    }));
  }

  async #close(): Promise<void> {
    const { writes } = this.#settings;
    this.#journal?.close();
    await this.#housekeeping?.stop();
    await this.#stopShipping?.();
    await this.#readDatabase?.then((database) => database.destroy()).catch(() => {});
    if (writes !== undefined) await endLease(this.#database, writes.process).catch(() => {});
    await this.#database.destroy();
    parentPort?.close();
  }
}

const settings = workerData as ThreadSettings;
const { url, writes } = settings;
try {
  const database = await (writes === undefined ? openLedger(url) : openToWrite(url, writes.durability));
  const file = watchDatabaseFile(databaseFileOf(url));
  const handler = new MessageHandler(settings, database, file, writes && (await startJournal(database, file, writes)));
  parentPort?.on('message', (message: ToThread) => handler.handle(message));
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'failed', message: messageOf(error) });
}
