import type { Metrics } from '../../core/api/index.ts';
import type { Report } from './messages.ts';

/** The metrics of the ledger: docs/reference/metrics.md. */
export interface LedgerMeters {
  report(report: Report): void;
  /** Counts rows that reached neither the database nor the spool. */
  lost(rows: number): void;
  queueDepth(rows: number): void;
  oldestUnsettled(seconds: number): void;
}

/** @param database `sqlite` or `postgres` */
export function createMeters(metrics: Metrics, database: string): LedgerMeters {
  const writes = metrics.counter('koine_ledger_writes_total', 'Ledger rows written, by store.', ['store']);
  const errors = metrics.counter(
    'koine_ledger_write_errors_total',
    'Ledger rows that could not be written, by store.',
    ['store'],
  );
  const toDatabase = { write: writes.bind([database]), fail: errors.bind([database]) };
  const toSpool = { write: writes.bind(['spool']), fail: errors.bind(['spool']) };
  return {
    report: ({ written, failed }) => {
      if (written.database > 0) toDatabase.write(written.database);
      if (failed.database > 0) toDatabase.fail(failed.database);
      if (written.spool > 0) toSpool.write(written.spool);
      if (failed.spool > 0) toSpool.fail(failed.spool);
    },
    lost: toSpool.fail,
    queueDepth: metrics
      .gauge('koine_ledger_queue_depth', 'Ledger rows that wait for the database.', [], 'sum')
      .bind([]),
    oldestUnsettled: metrics
      .gauge('koine_ledger_oldest_unsettled_seconds', 'Age of the oldest exchange without a settled row.', [], 'max')
      .bind([]),
  };
}
