import { randomUUID } from 'node:crypto';
import type { LiveServices } from '../../../core/api/index.ts';
import { fetchService, systemClock } from '../../../core/api/internal.ts';
import type { ShippingSettings, SinkReport } from '../messages.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import type { WriteLog } from '../thread/journal.ts';
import { endLease, renewLease } from '../thread/leases.ts';
import { markSeen, registerSink } from './register.ts';
import { paceOf } from './schema.ts';
import { Shipper } from './shipper.ts';
import { openSink } from './open-sink.ts';
import { measureLag } from './unshipped.ts';

const MEASURE_MS = 5_000;
const RENEWALS_PER_LEASE = 5;

interface ShippingParts {
  readonly log: WriteLog;
  report(report: SinkReport): void;
}

const servicesOf = (folder: string, log: WriteLog): LiveServices => ({
  clock: systemClock,
  fetch: fetchService,
  folder,
  log: {
    info: (fields, text) => log('info', fields, text),
    warn: (fields, text) => log('warn', fields, text),
    error: (fields, text) => log('error', fields, text),
  },
});

/**
 * Ships rows to all sinks, each at its own pace. With several gateways on one database, each sink has one that ships to
 * it while its lease lasts; every gateway measures how far the sinks are behind.
 * @returns a function that ends it
 */
export function startShipping(
  database: LedgerDatabase,
  { sinks, leaseMs, folder }: ShippingSettings,
  { log, report }: ShippingParts,
): () => Promise<void> {
  const process = randomUUID();
  const names = Object.keys(sinks);
  const services = servicesOf(folder, log);
  const leased = renewLease(database, process, leaseMs).catch(() => {});
  const shippers = Object.entries(sinks).map(([name, options]) => {
    const { everyMs, rows, history } = paceOf(options);
    return new Shipper({
      name,
      everyMs,
      rows,
      database,
      process,
      register: () => leased.then(() => registerSink(database, name, history)),
      open: () => openSink(options, services),
      report: (figures) => report({ sink: name, ...figures }),
      log,
    });
  });
  const measure = async (): Promise<void> => {
    await markSeen(database, names);
    for (const sink of names) report({ sink, rows: 0, failures: 0, lagMs: await measureLag(database, sink) });
  };
  // While the database is down nothing is shipped: the shippers log it.
  const renewing = setInterval(
    () => void renewLease(database, process, leaseMs).catch(() => {}),
    leaseMs / RENEWALS_PER_LEASE,
  );
  const measuring = setInterval(() => void measure().catch(() => {}), MEASURE_MS);
  return async () => {
    clearInterval(renewing);
    clearInterval(measuring);
    await Promise.all(shippers.map((shipper) => shipper.stop()));
    await endLease(database, process).catch(() => {});
  };
}
