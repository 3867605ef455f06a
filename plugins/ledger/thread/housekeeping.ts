import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from '../../../core/api/database.ts';
import type { HousekeepingSettings } from '../messages.ts';
import { hoursSince } from '../periods.ts';
import { describeRow } from '../row.ts';
import { viewNames, type Period } from '../tables.ts';
import type { LedgerDatabase } from './insert.ts';
import { REJECTED_ROW, type WriteLog } from './journal.ts';
import { endLease, listLiveProcesses, markAbandoned, renewLease } from './leases.ts';
import { createSafeWrite } from './safe-write.ts';
import { keepPartitions } from './partitions.ts';
import { buildViews } from './views.ts';
import { listSpoolFiles, readSpoolFile, removeSpoolFile, type SpoolFile } from '../spool/spool-files.ts';
import { createAddRollup, createWriteRows } from './write-rows.ts';

const PRUNE_EVERY_MS = 600_000;
const DAY_MS = 86_400_000;
/** Rows that one statement deletes: it blocks the other writers of SQLite. */
const PRUNE_BATCH = 500;
const PRUNE_PAUSE_MS = 20;

/** Drops expired partitions, and deletes other expired rows and sums in small batches. */
export async function prune(
  database: LedgerDatabase,
  { retentionMs, usageRetentionMs }: HousekeepingSettings,
  now: number,
): Promise<void> {
  const endOf = (step: Period): number => {
    const end = now - usageRetentionMs;
    // A day later than reports may read them.
    return step === 'hour' ? Math.max(end, hoursSince(now - DAY_MS)) : end;
  };
  const tables = (await keepPartitions(database, retentionMs, now)) ?? ['ledger'];
  const deletions = [
    ...tables.map(sql.ref).map(
      (table) => () =>
        sql`DELETE FROM ${table} WHERE id IN
        (SELECT id FROM ${table} WHERE ended_at < ${now - retentionMs} ORDER BY ended_at LIMIT ${PRUNE_BATCH})`,
    ),
    ...(['hour', 'day', 'month'] as const).flatMap((step) => [
      ...[step, ...viewNames.map((view) => `${view}/${step}`)].map(
        (name) => () =>
          sql`DELETE FROM ledger_usage WHERE (step, start, dimension) IN
        (SELECT step, start, dimension FROM ledger_usage
          WHERE step = ${name} AND start < ${endOf(step)} LIMIT ${PRUNE_BATCH})`,
      ),
      () => sql`DELETE FROM ledger_latencies WHERE (step, start, dimension, kind, bucket) IN
        (SELECT step, start, dimension, kind, bucket FROM ledger_latencies
          WHERE step = ${step} AND start < ${endOf(step)} LIMIT ${PRUNE_BATCH})`,
    ]),
  ];
  for (const deletion of deletions) {
    while ((await deletion().execute(database)).numAffectedRows === BigInt(PRUNE_BATCH)) await delay(PRUNE_PAUSE_MS);
  }
}

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
    await prune(database, settings, Date.now());
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

export interface RunningHousekeeping {
  /** Writes at once what other processes have left in their files. */
  replay(): void;
  stop(): Promise<void>;
}

/** Runs housekeeping three times a lease. A database that cannot be opened is tried again in the next round. */
export function startHousekeeping(
  open: () => Promise<LedgerDatabase>,
  parts: Omit<HousekeepingParts, 'database'>,
): RunningHousekeeping {
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
    replay: () => {
      mustReplay = true;
      void Promise.resolve(running).then(start);
    },
    stop: async () => {
      clearInterval(timer);
      // A lease that cannot be deleted expires.
      await housekeeping?.stop().catch(() => {});
    },
  };
}
