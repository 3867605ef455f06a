import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { parseSize, readDuration, type OptionFinding, type PrimaryServices } from '../../core/api/index.ts';
import type { HousekeepingSettings, ShippingSettings, WriteSettings } from './messages.ts';
import type { LedgerOptions } from './schema.ts';
import { checkSinks } from './sinks/schema.ts';
import type { SpoolSettings } from './spool/spool.ts';

const MIN_LEASE_MS = 1_000;
const MAX_LEASE_MS = 3_600_000;

/** Checks what the schema cannot express. */
export function checkOptions({ lease, sinks }: LedgerOptions): readonly OptionFinding[] {
  const leaseMs = readDuration(lease);
  const isInRange = leaseMs >= MIN_LEASE_MS && leaseMs <= MAX_LEASE_MS;
  return [
    ...(isInRange ? [] : [{ path: ['lease'], message: `The lease must be between 1s and 1h, not ${lease}.` }]),
    ...checkSinks(sinks),
  ];
}

export const isSqlite = (url: string): boolean => url.startsWith('sqlite:');
/** An in-memory database belongs to the one connection that opened it. */
export const isInMemory = (url: string): boolean => url === 'sqlite::memory:';

/** The file of an SQLite database; undefined for Postgres and for a database in memory. */
export const databaseFileOf = (url: string): string | undefined =>
  isSqlite(url) && !isInMemory(url) ? url.slice('sqlite:'.length) : undefined;

/** The database, and the folder that relative paths start from when the database is not a file. */
export type DatabaseLocation = Pick<PrimaryServices, 'databaseUrl' | 'folder'>;

const spoolPathOf = ({ spool }: LedgerOptions, { databaseUrl, folder }: DatabaseLocation): string => {
  const file = databaseFileOf(databaseUrl);
  return resolve(file === undefined ? folder : dirname(file), spool.path ?? 'koine-ledger.spool');
};

/** Settings of one writer. Each call makes a new process id. */
export const readWriteSettings = (options: LedgerOptions): WriteSettings => ({
  process: randomUUID(),
  durability: options.durability,
  leaseMs: readDuration(options.lease),
});

/** Rows that wait for a database in memory wait in memory: it ends with its process. */
export const readSpoolSettings = (options: LedgerOptions, location: DatabaseLocation): SpoolSettings => ({
  path: isInMemory(location.databaseUrl) ? undefined : spoolPathOf(options, location),
  bytes: parseSize(options.spool.size),
});

export const readHousekeepingSettings = (options: LedgerOptions, location: DatabaseLocation): HousekeepingSettings => ({
  leaseMs: readDuration(options.lease),
  retentionMs: readDuration(options.retention),
  usageRetentionMs: readDuration(options.usageRetention),
  spoolPath: spoolPathOf(options, location),
});

export const readShippingSettings = (
  { lease, sinks = {} }: LedgerOptions,
  { folder }: Pick<DatabaseLocation, 'folder'>,
): ShippingSettings => ({ sinks, leaseMs: readDuration(lease), folder });
