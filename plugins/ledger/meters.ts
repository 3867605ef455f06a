import type { Metrics } from '../../core/index.ts';
import type { Report } from './messages.ts';

/** What operators see of the ledger: docs/metrics.md. */
export interface LedgerMeters {
  report(report: Report): void;
  /** Rows that reached neither the database nor the spool. */
  lost(rows: number): void;
  depth(rows: number): void;
  oldest(seconds: number): void;
}

/** @param database `sqlite` or `postgres` */
export function createMeters(metrics: Metrics, database: string): LedgerMeters {
  const writes = metrics.counter('koine_ledger_writes_total', 'Rows of the ledger that were written.', ['store']);
  const errors = metrics.counter('koine_ledger_write_errors_total', 'Rows of the ledger that could not be written.', [
    'store',
  ]);
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
    depth: metrics
      .gauge('koine_ledger_queue_depth', 'Rows that wait for the database of the ledger.', [], 'sum')
      .bind([]),
    oldest: metrics
      .gauge(
        'koine_ledger_oldest_unsettled_seconds',
        'Age of the oldest exchange that is not settled in the ledger.',
        [],
        'max',
      )
      .bind([]),
  };
}
