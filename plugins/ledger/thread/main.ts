import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { FromThread, HousekeepingSettings, ThreadSettings, ToThread, WriteSettings } from '../messages.ts';
import { queries } from '../read/queries.ts';
import { databaseFileOf, isInMemory } from '../settings.ts';
import { startShipping } from '../sinks/shipping.ts';
import { watchDatabaseFile, type DatabaseFile } from './database-file.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { LedgerDatabase } from './insert.ts';
import { Journal } from './journal.ts';
import { endLease, renewLease } from './leases.ts';
import { createLog, messageOf, RowWriter, serveWriter, type Post } from './row-writer.ts';
import { openLedger, openToWrite } from './open-ledger.ts';
import { createPartitions, undoConversion } from './partitions.ts';
import { createSearchIndexes } from './search-indexes.ts';
import { createAddRollup, createWriteRows } from './write-rows.ts';

// The program of a ledger thread. It has its own event loop and connections, so that no write or query holds up
// requests.

const RENEWALS_PER_LEASE = 5;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
const post = (message: FromThread): void => parentPort?.postMessage(message);
const log = createLog(post);

type OpenJournal = (writes: WriteSettings, postTo: Post) => Journal;

/** The writers of a host share prepared statements and what is known of the database. */
const createOpenJournal = (database: LedgerDatabase, { check, explain }: DatabaseFile): OpenJournal => {
  const writeRows = createWriteRows(database, createAddRollup(database));
  return ({ process, durability, leaseMs }, postTo) =>
    new Journal({
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
      report: (report) => postTo({ kind: 'report', report }),
      log: createLog(postTo),
    });
};

/** Handles the messages of the main thread. */
class MessageHandler {
  readonly #settings: ThreadSettings;
  readonly #database: LedgerDatabase;
  readonly #file: DatabaseFile;
  readonly #openJournal: OpenJournal;
  /** Of the main thread. */
  readonly #writer: RowWriter | undefined;
  /** For queries and housekeeping: rows do not wait for them there, and they may take longer. */
  #readDatabase: Promise<LedgerDatabase> | undefined;
  #housekeeping: ReturnType<typeof startHousekeeping> | undefined;
  /** Of the writers of worker threads. */
  readonly #ports = new Set<MessagePort>();
  /** Ends the shipping of rows. */
  readonly #stopShipping: (() => Promise<void>) | undefined;

  constructor(settings: ThreadSettings, database: LedgerDatabase, file: DatabaseFile) {
    this.#settings = settings;
    this.#database = database;
    this.#file = file;
    this.#openJournal = createOpenJournal(database, file);
    this.#writer = settings.writes && new RowWriter(this.#openJournal(settings.writes, post), post);
    this.#stopShipping =
      settings.shipping &&
      startShipping(database, settings.shipping, { log, report: (report) => post({ kind: 'sink-report', report }) });
  }

  handle(message: ToThread): void {
    if (message.kind === 'rows') void this.#writer?.write(message);
    else if (message.kind === 'writer') this.#serve(message);
    else if (message.kind === 'query') void this.#query(message);
    else if (message.kind === 'housekeeping') this.#startHousekeeping(message.settings);
    else void this.#close();
  }

  #serve({ process, port }: Extract<ToThread, { kind: 'writer' }>): void {
    const { writes } = this.#settings;
    if (writes === undefined) return port.close();
    this.#ports.add(port);
    port.once('close', () => this.#ports.delete(port));
    serveWriter(
      port,
      (postTo) => this.#openJournal({ ...writes, process }, postTo),
      () => endLease(this.#database, process).catch(() => {}),
    );
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
    for (const port of this.#ports) port.close();
    this.#writer?.close();
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
  if (writes !== undefined) await renewLease(database, writes.process, writes.leaseMs);
  const handler = new MessageHandler(settings, database, file);
  parentPort?.on('message', (message: ToThread) => handler.handle(message));
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'failed', message: messageOf(error) });
}
