import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { parseSize, readDuration, type OptionFinding, type PrimaryServices } from '../../core/index.ts';
import type { HousekeepingSettings, WriteSettings } from './messages.ts';
import type { LedgerOptions } from './schema.ts';

const [SHORTEST_LEASE, LONGEST_LEASE] = [1_000, 3_600_000];

/** What the schema cannot say. */
export function checkOptions({ lease }: LedgerOptions): readonly OptionFinding[] {
  const leaseMs = readDuration(lease);
  return leaseMs >= SHORTEST_LEASE && leaseMs <= LONGEST_LEASE
    ? []
    : [{ path: ['lease'], message: `A lease of ${lease} does not work; write one of 1s to 1h.` }];
}

export const isSqlite = (url: string): boolean => url.startsWith('sqlite:');
/** A database that one opening has for itself. */
export const isPrivate = (url: string): boolean => url === 'sqlite::memory:';

/** undefined: it is no file, or one that nobody else can reach. */
export const fileOf = (url: string): string | undefined =>
  isSqlite(url) && !isPrivate(url) ? url.slice('sqlite:'.length) : undefined;

/** Where the tables are, and where relative paths begin that no file of a database stands beside. */
export type Place = Pick<PrimaryServices, 'databaseUrl' | 'folder'>;

const folderOf = ({ databaseUrl, folder }: Place): string => {
  const file = fileOf(databaseUrl);
  return file === undefined ? folder : dirname(file);
};
const spoolPathOf = ({ spool }: LedgerOptions, place: Place): string =>
  resolve(folderOf(place), spool.path ?? 'koine-ledger.spool');

/** For a process of its own name in the ledger. */
export const readWriteSettings = (options: LedgerOptions, place: Place): WriteSettings => ({
  process: randomUUID(),
  durability: options.durability,
  leaseMs: readDuration(options.lease),
  spool: { path: spoolPathOf(options, place), rows: options.spool.rows, bytes: parseSize(options.spool.size) },
});

export const readHousekeepingSettings = (options: LedgerOptions, place: Place): HousekeepingSettings => ({
  leaseMs: readDuration(options.lease),
  retentionMs: readDuration(options.retention),
  usageRetentionMs: readDuration(options.usageRetention),
  spoolPath: spoolPathOf(options, place),
});
