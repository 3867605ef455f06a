import { GatewayError, type PrimaryServices } from '../../core/api/index.ts';
import type { Report } from './messages.ts';
import { createMeters } from './meters.ts';
import type { QueryLedger } from './read/queries.ts';
import { LedgerReader } from './reader.ts';
import type { LedgerOptions } from './schema.ts';
import {
  isInMemory,
  isSqlite,
  readHousekeepingSettings,
  readShippingSettings,
  readSpoolSettings,
  readWriteSettings,
  type DatabaseLocation,
} from './settings.ts';
import { createSinkMeters } from './sinks/meters.ts';
import { Spool } from './spool/spool.ts';
import { startThread, type LedgerThread } from './thread.ts';
import { LedgerWriter } from './writer.ts';

type LedgerServices = DatabaseLocation & Pick<PrimaryServices, 'metrics' | 'clock' | 'log' | 'shared'>;

/**
 * Calls the listener when earlier results of `spent` may have been too low.
 * @returns a function that unsubscribes
 */
type Subscribe = (listener: () => void) => () => void;

/** The writer of a process with its thread. */
interface WriterHandle {
  readonly writer: LedgerWriter;
  readonly thread: LedgerThread;
  readonly onSpendingChanged: Subscribe;
}

/** The key includes every setting, so that a reload that changes one opens another instance. */
const sharedKey = (part: string, url: string, options: LedgerOptions): string =>
  `ledger/${part} ${url} ${JSON.stringify(options)}`;

async function createWriterHandle(options: LedgerOptions, services: LedgerServices): Promise<WriterHandle> {
  const { databaseUrl: url, metrics, clock, log } = services;
  const listeners = new Set<() => void>();
  const spool = readSpoolSettings(options, services);
  const meters = createMeters(metrics, isSqlite(url) ? 'sqlite' : 'postgres', spool.bytes);
  const writes = readWriteSettings(options);
  let onReport: (report: Report) => void = meters.report;
  const thread = await startThread(
    { url, writes },
    {
      log,
      onReport: (report) => onReport(report),
      onSpendingChanged: () => listeners.forEach((listener) => listener()),
    },
  );
  const writer = new LedgerWriter({
    thread,
    spool: new Spool(spool, writes.process, (error) =>
      log.error({ error }, 'the spool of the ledger cannot be written; its rows are kept in memory'),
    ),
    onFull: options.spool.onFull,
    meters,
    clock,
    log,
    refused: options.refused,
  });
  onReport = (report) => writer.onReport(report);
  const onSpendingChanged: Subscribe = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { writer, thread, onSpendingChanged };
}

/** Opens the writer of this process, which outlives reloads. @throws GatewayError KOINE_STORE_FAILED */
export const openWriter = (options: LedgerOptions, services: LedgerServices): Promise<WriterHandle> =>
  services.shared(
    sharedKey('writer', services.databaseUrl, options),
    () => createWriterHandle(options, services),
    async (handle) => (await handle).writer.close(),
  );

/** Registers the metrics of sinks, and starts the thread that ships rows to them. It outlives reloads. */
async function openShipping(options: LedgerOptions, services: LedgerServices): Promise<void> {
  const names = Object.keys(options.sinks ?? {});
  const { databaseUrl: url, metrics, log, shared } = services;
  const onSinkReport = createSinkMeters(metrics, names);
  if (names.length === 0) return;
  if (isInMemory(url))
    throw new GatewayError(
      'KOINE_STORE_FAILED',
      'ledger.sinks get their rows from store.database, which is in memory. Name a file or a Postgres database there.',
    );
  await shared(
    sharedKey('sinks', url, options),
    () => startThread({ url, shipping: readShippingSettings(options, services) }, { log, onSinkReport }),
    async (thread) => (await thread).close(),
  );
}

/** What the primary instance reads from the ledger. */
export interface PrimaryLedger {
  readonly query: QueryLedger;
  /** Writes at once what another process has left in its spool. */
  readonly replay: () => void;
  readonly onSpendingChanged: Subscribe;
}

/**
 * Opens the ledger for the primary instance. The writer's thread also does the housekeeping and runs `spent`: requests
 * wait for that query, and it takes a millisecond. Reports may take longer than a row is allowed to wait, so they run
 * in a thread of their own. An in-memory database is only visible to the writer's thread, and no other process leaves
 * anything in it.
 */
export async function openPrimaryLedger(options: LedgerOptions, services: LedgerServices): Promise<PrimaryLedger> {
  const { databaseUrl: url, log, shared } = services;
  const { thread, onSpendingChanged } = await openWriter(options, services);
  await openShipping(options, services);
  if (isInMemory(url))
    return {
      query: (name, parameters) => thread.query(name, parameters),
      replay: () => {},
      onSpendingChanged: () => () => {},
    };
  const replay = (): void => thread.startHousekeeping(readHousekeepingSettings(options, services));
  replay();
  const reader = shared(
    sharedKey('reader', url, options),
    () => new LedgerReader(() => startThread({ url }, { log })),
    (unused) => unused.close(),
  );
  const query: QueryLedger = (name, parameters) => (name === 'spent' ? thread : reader).query(name, parameters);
  return { query, replay, onSpendingChanged };
}
