import type { Metrics } from '../../core/api/index.ts';
import type { Report } from './messages.ts';

export type LedgerMeters = ReturnType<typeof createMeters>;

/**
 * The metrics of the ledger: docs/reference/metrics.md.
 * @param database `sqlite` or `postgres`
 * @param spoolLimit bytes at which the spool is full
 */
export function createMeters(metrics: Metrics, database: string, spoolLimit: number) {
  metrics.gauge('koine_ledger_spool_limit_bytes', 'Size at which the spool of the ledger is full.', [], 'max').bind([])(
    spoolLimit,
  );
  const writes = metrics.counter('koine_ledger_writes_total', 'Ledger rows written, by store.', ['store']);
  const errors = metrics.counter(
    'koine_ledger_write_errors_total',
    'Ledger rows that could not be written, by store.',
    ['store'],
  );
  const toDatabase = { write: writes.bind([database]), fail: errors.bind([database]) };
  const toSpool = { write: writes.bind(['spool']), fail: errors.bind(['spool']) };
  return {
    /** Rows that the thread has written to the database, and that it could not write. */
    report: ({ written, failed }: Report): void => {
      if (written > 0) toDatabase.write(written);
      if (failed > 0) toDatabase.fail(failed);
    },
    /** Counts rows that wait in the spool because the database is down. */
    spooled: toSpool.write,
    /** Counts rows that reached neither the database nor the spool. */
    lost: toSpool.fail,
    spoolBytes: metrics
      .gauge('koine_ledger_spool_bytes', 'Size of the ledger rows that wait for the database.', [], 'sum')
      .bind([]),
    queueDepth: metrics
      .gauge('koine_ledger_queue_depth', 'Ledger rows that wait for the database.', [], 'sum')
      .bind([]),
    oldestUnsettled: metrics
      .gauge('koine_ledger_oldest_unsettled_seconds', 'Age of the oldest exchange without a settled row.', [], 'max')
      .bind([]),
  };
}
