import { randomUUID } from 'node:crypto';
import type { HousekeepingSettings } from '../messages.ts';
import { describeRow } from '../row.ts';
import { sql } from '../../../core/index.ts';
import type { LedgerDatabase } from './insert.ts';
import type { WriteLog } from './journal.ts';
import { endLease, listLiving, markAbandoned, renewLease } from './processes.ts';
import { createSafeWrite } from './safe-write.ts';
import { listFiles, readSpoolFile, removeFile } from './spool-files.ts';
import { createCountRollup, createWriteRows } from './write-rows.ts';

/** How often old rows are looked for. */
const PRUNE_EVERY_MS = 600_000;
/** Rows that one statement deletes: writers of SQLite wait for it. */
const PRUNED = 500;
const PAUSE_MS = 20;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Deletes what is older than it is kept, bit by bit. */
export async function prune(
  database: LedgerDatabase,
  { retentionMs, usageRetentionMs }: HousekeepingSettings,
  now: number,
): Promise<void> {
  const deletions = [
    () =>
      sql`DELETE FROM ledger WHERE id IN (SELECT id FROM ledger WHERE ended_at < ${now - retentionMs} ORDER BY ended_at LIMIT ${PRUNED})`,
    ...(['hour', 'day', 'month'] as const).flatMap((step) => [
      () =>
        sql`DELETE FROM ledger_usage WHERE (step, start, dimension) IN (SELECT step, start, dimension FROM ledger_usage WHERE step = ${step} AND start < ${now - usageRetentionMs} LIMIT ${PRUNED})`,
      () =>
        sql`DELETE FROM ledger_latencies WHERE (step, start, dimension, kind, bucket) IN
          (SELECT step, start, dimension, kind, bucket FROM ledger_latencies WHERE step = ${step} AND start < ${now - usageRetentionMs} LIMIT ${PRUNED})`,
    ]),
  ];
  for (const deletion of deletions) {
    while ((await deletion().execute(database)).numAffectedRows === BigInt(PRUNED)) await pause();
  }
}

/** Writes what processes that are gone have left in their files. Resolves with the number of rows. */
const adoptSpools = async (database: LedgerDatabase, path: string, log: WriteLog): Promise<number> => {
  const files = listFiles(path);
  if (files.length === 0) return 0;
  let adopted = 0;
  const living = await listLiving(database);
  const writeRows = createWriteRows(database, createCountRollup(database));
  for (const { name, process } of files) {
    if (living.has(process)) continue;
    const rows = readSpoolFile(name);
    const write = createSafeWrite(
      (part) => writeRows(process, part),
      (row, error) =>
        log(
          'error',
          { error, row: describeRow(row) },
          'the database refuses a row of the ledger; it stands here instead',
        ),
    );
    await write(rows);
    adopted += rows.length;
    // Whoever still writes to it lives after all.
    if (readSpoolFile(name).length > rows.length) continue;
    removeFile(name);
    log('info', { rows: rows.length, file: name }, 'the ledger has what a process that is gone had left in a file');
  }
  return adopted;
};

export interface Housekeeping {
  /** One round of it. @param now milliseconds of a clock that only goes forward @throws where the database fails */
  run(now: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Looks after what processes leave behind that are gone, and after what is old. Who could not write to the database for a while judges nobody
 * until a lease later: those who could not renew theirs either must have had the time. A full or locked database can still be read, so it has a
 * lease of its own to renew.
 * @param onFound called when exchanges that others have left are in the sums: by the first judgement too, since a neighbour may have been quicker
 */
export function createHousekeeping(
  database: LedgerDatabase,
  settings: HousekeepingSettings,
  log: WriteLog,
  onFound: () => void,
): Housekeeping {
  const { leaseMs, spoolPath } = settings;
  const id = randomUUID();
  let writesSince: number | undefined;
  let prunedAt = -Infinity;
  let hasJudged = false;

  const look = async (now: number): Promise<void> => {
    await renewLease(database, id, leaseMs);
    writesSince ??= now;
    if (now - writesSince < leaseMs) return;
    const adopted = await adoptSpools(database, spoolPath, log);
    const abandoned = await markAbandoned(database, createCountRollup(database));
    if (abandoned > 0)
      log(
        'warn',
        { rows: abandoned },
        'processes that are gone had left exchanges open: they are marked as abandoned, with an estimate',
      );
    if (adopted + abandoned > 0 || !hasJudged) onFound();
    hasJudged = true;
    if (now - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now;
    await prune(database, settings, Date.now());
  };
  return {
    run: (now) =>
      look(now).catch((error: unknown) => {
        writesSince = undefined;
        throw error;
      }),
    stop: () => endLease(database, id),
  };
}

/**
 * Does so every third of a lease. A database that cannot be opened is tried again.
 * @returns what ends it
 */
export function startHousekeeping(
  open: () => Promise<LedgerDatabase>,
  settings: HousekeepingSettings,
  log: WriteLog,
  onFound: () => void,
): () => Promise<void> {
  let housekeeping: Housekeeping | undefined;
  let isBusy = false;
  const run = async (): Promise<void> => {
    housekeeping ??= createHousekeeping(await open(), settings, log, onFound);
    await housekeeping.run(performance.now());
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void run()
      // The writer of the rows reports that the database fails.
      .catch(() => {})
      .finally(() => (isBusy = false));
  }, settings.leaseMs / 3);
  return async () => {
    clearInterval(timer);
    // A lease that cannot be ended runs out.
    await housekeeping?.stop().catch(() => {});
  };
}
