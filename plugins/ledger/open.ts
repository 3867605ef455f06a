import type { MessagePort } from 'node:worker_threads';
import { GatewayError, type PrimaryServices } from '../../core/api/index.ts';
import type { Report, WriteSettings } from './messages.ts';
import { createMeters } from './meters.ts';
import { PortToThread } from './port-to-thread.ts';
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

/** A writer with its way to the ledger thread. */
interface WriterHandle<T> {
  readonly writer: LedgerWriter;
  readonly thread: T;
}

/** The writer of the thread that has the ledger thread. */
interface MainWriterHandle extends WriterHandle<LedgerThread> {
  readonly onSpendingChanged: Subscribe;
}

/** The key includes every setting, so that a reload that changes one opens another instance. */
const sharedKey = (part: string, url: string, options: LedgerOptions): string =>
  `ledger/${part} ${url} ${JSON.stringify(options)}`;

/** @param startWay starts what takes the rows of the process with these settings */
async function createWriterHandle<T extends Pick<LedgerThread, 'write' | 'close'>>(
  options: LedgerOptions,
  services: LedgerServices,
  startWay: (writes: WriteSettings, onReport: (report: Report) => void) => Promise<T>,
): Promise<WriterHandle<T>> {
  const { databaseUrl: url, metrics, clock, log } = services;
  const spool = readSpoolSettings(options, services);
  const meters = createMeters(metrics, isSqlite(url) ? 'sqlite' : 'postgres', spool.bytes);
  const writes = readWriteSettings(options);
  let onReport: (report: Report) => void = meters.report;
  const thread = await startWay(writes, (report) => onReport(report));
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
  return { writer, thread };
}

const createMainWriter = async (options: LedgerOptions, services: LedgerServices): Promise<MainWriterHandle> => {
  const { databaseUrl: url, log } = services;
  const listeners = new Set<() => void>();
  const onSpendingChanged = (): void => listeners.forEach((listener) => listener());
  const handle = await createWriterHandle(options, services, (writes, onReport) =>
    startThread({ url, writes }, { log, onReport, onSpendingChanged }),
  );
  const subscribe: Subscribe = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { ...handle, onSpendingChanged: subscribe };
};

/** A writer outlives reloads. */
const shareWriter = <T extends WriterHandle<unknown>>(
  options: LedgerOptions,
  { shared, databaseUrl }: LedgerServices,
  create: () => Promise<T>,
): Promise<T> =>
  shared(sharedKey('writer', databaseUrl, options), create, async (handle) => (await handle).writer.close());

/**
 * Opens the writer of this process, or of the main thread if there are workers.
 * @throws GatewayError KOINE_STORE_FAILED
 */
export const openWriter = (options: LedgerOptions, services: LedgerServices): Promise<MainWriterHandle> =>
  shareWriter(options, services, () => createMainWriter(options, services));

/**
 * Opens the writer of a worker thread.
 * @param openPort asks the main thread for a port to its ledger thread
 * @throws GatewayError if that does not respond
 */
export const openWorkerWriter = (
  options: LedgerOptions,
  services: LedgerServices,
  openPort: (process: string) => Promise<MessagePort>,
): Promise<WriterHandle<PortToThread>> =>
  shareWriter(options, services, () =>
    createWriterHandle(options, services, async ({ process }, onReport) => {
      const port = new PortToThread({ open: () => openPort(process), log: services.log, onReport });
      await port.open();
      return port;
    }),
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
  /** Opens a way for the rows of a worker thread. */
  readonly openPort: LedgerThread['openPort'];
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
  const openPort = (process: string): MessagePort => thread.openPort(process);
  if (isInMemory(url))
    return {
      query: (name, parameters) => thread.query(name, parameters),
      openPort,
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
  return { query, openPort, replay, onSpendingChanged };
}
