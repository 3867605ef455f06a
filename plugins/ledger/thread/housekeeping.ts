import { randomUUID } from 'node:crypto';
import type { HousekeepingSettings } from '../messages.ts';
import { describeRow } from '../row.ts';
import type { LedgerDatabase } from './insert.ts';
import { REJECTED_ROW, type WriteLog } from './journal.ts';
import { endLease, listLiveProcesses, markAbandoned, renewLease } from './leases.ts';
import { createSafeWrite } from './safe-write.ts';
import { prune } from './prune.ts';
import { buildViews } from './views.ts';
import { forgetSinks } from '../sinks/register.ts';
import { listSpoolFiles, readSpoolFile, removeSpoolFile, type SpoolFile } from '../spool/spool-files.ts';
import { createAddRollup, createWriteRows } from './write-rows.ts';

const PRUNE_EVERY_MS = 600_000;

export interface HousekeepingParts {
  readonly database: LedgerDatabase;
  readonly settings: HousekeepingSettings;
  /** Id of this process in the ledger. */
  readonly process: string;
  /** A removed file can still be written, and what is written to it is lost. @throws when the file is not intact */
  checkFile(): void;
  readonly log: WriteLog;
  /**
   * Called when rows of dead processes were added to the sums; also after the first round, since another process may
   * have been faster.
   */
  onSpendingChanged(): void;
}

/** Resolves with the number of rows in the file. */
const writeSpoolFile = async (
  { database, log }: Pick<HousekeepingParts, 'database' | 'log'>,
  { path, process }: SpoolFile,
): Promise<number> => {
  const rows = readSpoolFile(path);
  const writeRows = createWriteRows(database, createAddRollup(database));
  const write = createSafeWrite(
    (part) => writeRows(process, part),
    (row, error) => log('error', { error, row: describeRow(row) }, REJECTED_ROW),
  );
  await write(rows);
  return rows.length;
};

/** Writes the rows in the spool files of dead processes, and removes the files. Resolves with the number of rows. */
const adoptSpools = async (parts: HousekeepingParts): Promise<number> => {
  const files = listSpoolFiles(parts.settings.spoolPath);
  if (files.length === 0) return 0;
  let adopted = 0;
  const live = await listLiveProcesses(parts.database);
  for (const file of files) {
    if (live.has(file.process)) continue;
    const rows = await writeSpoolFile(parts, file);
    adopted += rows;
    // The rows are kept until they are in a database that lasts.
    parts.checkFile();
    // A file that has grown belongs to a process that is alive after all.
    if (readSpoolFile(file.path).length > rows) continue;
    removeSpoolFile(file.path);
    if (rows > 0) parts.log('info', { rows, file: file.path }, 'wrote the spooled rows of a process that has died');
  }
  return adopted;
};

/**
 * Cleans up after dead processes and deletes expired rows.
 *
 * It has a lease of its own, and after an outage it waits for a whole lease before it judges other processes: they
 * could not renew theirs either. A full or locked database can still be read, so reading it proves nothing.
 */
export class Housekeeping {
  readonly #parts: HousekeepingParts;
  readonly #id = randomUUID();
  /** Since when every renewal has succeeded. */
  #writableSince: number | undefined;
  #prunedAt = -Infinity;
  #hasJudged = false;
  readonly #stopping = new AbortController();
  /** Takes minutes in a large ledger of an earlier version, so leases are renewed meanwhile. */
  #building: Promise<void> | undefined;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  /**
   * Runs one round.
   * @param now milliseconds of a monotonic clock
   * @throws when the database fails, or its file is not intact
   */
  async run(now: number): Promise<void> {
    try {
      await this.#run(now);
    } catch (error) {
      this.#writableSince = undefined;
      throw error;
    }
  }

  /**
   * Writes what is in the files of other processes, and leaves the files: one of them may have died just now, and its
   * lease says so later. The rows of a live process are written once nevertheless.
   * @throws when the database fails
   */
  async replay(): Promise<void> {
    const { settings, process, onSpendingChanged } = this.#parts;
    let rows = 0;
    for (const file of listSpoolFiles(settings.spoolPath))
      if (file.process !== process) rows += await writeSpoolFile(this.#parts, file);
    if (rows > 0) onSpendingChanged();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#building;
    await endLease(this.#parts.database, this.#id);
  }

  async #run(now: number): Promise<void> {
    const { database, settings, checkFile } = this.#parts;
    checkFile();
    await renewLease(database, this.#id, settings.leaseMs);
    this.#writableSince ??= now;
    if (now - this.#writableSince < settings.leaseMs) return;
    await this.#judge();
    this.#buildViews();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const { database, settings, log } = this.#parts;
    for (const sink of await forgetSinks(database))
      log('warn', { sink }, 'the ledger has forgotten a sink that no configuration has had for a week');
    const since = await prune(database, settings, Date.now());
    if (since === undefined) return;
    log(
      'warn',
      { since: new Date(since).toISOString() },
      'expired rows are kept until all sinks of the ledger have them',
    );
  }

  /** The next round tries again what has failed. */
  #buildViews(): void {
    const { database, log } = this.#parts;
    this.#building ??= buildViews(database, Date.now(), log, this.#stopping.signal)
      .catch((error: unknown) => log('warn', { error }, 'the sums that reports read could not be built; trying again'))
      .finally(() => (this.#building = undefined));
  }

  async #judge(): Promise<void> {
    const { database, log, onSpendingChanged } = this.#parts;
    const adopted = await adoptSpools(this.#parts);
    const abandoned = await markAbandoned(database, createAddRollup(database));
    if (abandoned > 0)
      log('warn', { rows: abandoned }, 'marked the open rows of dead processes as abandoned, with estimated usage');
    if (adopted + abandoned > 0 || !this.#hasJudged) onSpendingChanged();
    this.#hasJudged = true;
  }
}

/** Runs housekeeping three times a lease. A database that cannot be opened is tried again in the next round. */
export function startHousekeeping(open: () => Promise<LedgerDatabase>, parts: Omit<HousekeepingParts, 'database'>) {
  let housekeeping: Housekeeping | undefined;
  let running: Promise<void> | undefined;
  let mustReplay = false;
  const run = async (): Promise<void> => {
    housekeeping ??= new Housekeeping({ ...parts, database: await open() });
    if (mustReplay) {
      mustReplay = false;
      await housekeeping.replay().catch((error: unknown) => {
        mustReplay = true;
        throw error;
      });
    }
    await housekeeping.run(performance.now());
  };
  const start = (): void => {
    running ??= run()
      // The journal logs that the database is down.
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(start, parts.settings.leaseMs / 3);
  return {
    /** Writes at once what other processes have left in their files. */
    replay: (): void => {
      mustReplay = true;
      void Promise.resolve(running).then(start);
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      // A lease that cannot be deleted expires.
      await housekeeping?.stop().catch(() => {});
    },
  };
}
