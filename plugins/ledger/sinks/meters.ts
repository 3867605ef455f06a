import type { Metrics } from '../../../core/api/index.ts';
import type { SinkReport } from '../messages.ts';

/** The metrics of sinks: docs/reference/metrics.md. They begin at 0. */
export function createSinkMeters(metrics: Metrics, names: readonly string[]): (report: SinkReport) => void {
  const rows = metrics.counter('koine_ledger_sink_rows_total', 'Ledger rows that a sink has got.', ['sink']);
  const failures = metrics.counter('koine_ledger_sink_failures_total', 'Batches of ledger rows that failed.', ['sink']);
  const lag = metrics.gauge(
    'koine_ledger_sink_lag_seconds',
    'Age of the oldest ledger row that a sink does not have.',
    ['sink'],
    'max',
  );
  const meters = new Map(
    names.map((name) => [name, { rows: rows.bind([name]), failures: failures.bind([name]), lag: lag.bind([name]) }]),
  );
  for (const meter of meters.values()) for (const set of Object.values(meter)) set(0);
  return (report) => {
    const meter = meters.get(report.sink);
    meter?.rows(report.rows);
    meter?.failures(report.failures);
    if (report.lagMs !== undefined) meter?.lag(report.lagMs / 1_000);
  };
}
