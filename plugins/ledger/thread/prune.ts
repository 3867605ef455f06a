import { setTimeout as delay } from 'node:timers/promises';
import { sql } from '../../../core/api/database.ts';
import type { HousekeepingSettings } from '../messages.ts';
import { hoursSince } from '../periods.ts';
import { oldestUnshipped } from '../sinks/unshipped.ts';
import { viewNames, type Period } from '../tables.ts';
import type { LedgerDatabase } from './insert.ts';
import { keepPartitions } from './partitions.ts';

const DAY_MS = 86_400_000;
/** Rows that one statement deletes: it blocks the other writers of SQLite. */
const PRUNE_BATCH = 500;
const PRUNE_PAUSE_MS = 20;

/**
 * Drops expired partitions, and deletes other expired rows and sums in small batches. Rows that a sink does not have
 * yet are kept, and all later ones.
 * @returns since when rows are kept that would have expired; undefined: there are none
 */
export async function prune(
  database: LedgerDatabase,
  { retentionMs, usageRetentionMs }: HousekeepingSettings,
  now: number,
): Promise<number | undefined> {
  const unshipped = await oldestUnshipped(database);
  const expired = Math.min(now - retentionMs, unshipped);
  const endOf = (step: Period): number => {
    const end = now - usageRetentionMs;
    // A day later than reports may read them.
    return step === 'hour' ? Math.max(end, hoursSince(now - DAY_MS)) : end;
  };
  const tables = (await keepPartitions(database, { retentionMs, expired }, now)) ?? ['ledger'];
  const deletions = [
    ...tables.map(sql.ref).map(
      (table) => () =>
        sql`DELETE FROM ${table} WHERE id IN
        (SELECT id FROM ${table} WHERE ended_at < ${expired} ORDER BY ended_at LIMIT ${PRUNE_BATCH})`,
    ),
    () => sql`DELETE FROM ledger_unshipped WHERE (sink, token) IN (SELECT sink, token FROM ledger_unshipped
        WHERE sink NOT IN (SELECT name FROM ledger_sinks) LIMIT ${PRUNE_BATCH})`,
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
  return expired === unshipped ? unshipped : undefined;
}
