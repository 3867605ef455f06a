import type { PrimaryServices } from '../../core/index.ts';
import { createMeters } from './meters.ts';
import type { Report } from './messages.ts';
import type { AskLedger } from './read/questions.ts';
import type { LedgerOptions } from './schema.ts';
import { isPrivate, isSqlite, readTendSettings, readWriteSettings, type Place } from './settings.ts';
import { startThread } from './thread.ts';
import { createWriter, type LedgerWriter } from './writer.ts';

type Lent = Place & Pick<PrimaryServices, 'metrics' | 'clock' | 'log' | 'keep'>;

/** What is kept under a name that says all that it was made of: a reload that changes it opens another. */
const nameOf = (what: string, url: string, options: LedgerOptions): string => `ledger/${what} ${url} ${JSON.stringify(options)}`;

/** The one that writes for this process; it outlives reloads. @throws GatewayError KOINE_STORE_FAILED */
export const openWriter = (options: LedgerOptions, lent: Lent): Promise<LedgerWriter> => {
  const { databaseUrl: url, metrics, clock, log, keep } = lent;
  const create = async (): Promise<LedgerWriter> => {
    const meters = createMeters(metrics, isSqlite(url) ? 'sqlite' : 'postgres');
    let onReport = (_report: Report): void => {};
    const thread = await startThread({ url, writes: readWriteSettings(options, lent) }, { log, onReport: (report) => onReport(report) });
    const writer = createWriter({ thread, meters, clock, log });
    ({ onReport } = writer);
    return writer;
  };
  return keep(nameOf('writer', url, options), create, async (opening) => (await opening).close());
};

/** The ledger as who reads it sees it. */
export interface Books {
  readonly ask: AskLedger;
  /** Is told when what was spent earlier may be more than was answered so far. @returns what ends that */
  follow(found: () => void): () => void;
}

/**
 * The one that reads, and looks after what others leave: questions never hold up a write. A database in memory is the writer's own, and has
 * nothing that was left.
 */
export const openBooks = async (options: LedgerOptions, lent: Lent): Promise<Books> => {
  const { databaseUrl: url, log, keep } = lent;
  if (isPrivate(url)) return { ask: (await openWriter(options, lent)).ask, follow: () => () => {} };
  const create = async () => {
    const followers = new Set<() => void>();
    const thread = await startThread({ url, tends: readTendSettings(options, lent) }, { log, onFound: () => followers.forEach((found) => found()) });
    return { thread, followers };
  };
  const { thread, followers } = await keep(nameOf('books', url, options), create, async (opening) => (await opening).thread.close());
  return {
    ask: thread.ask,
    follow: (found) => {
      followers.add(found);
      return () => void followers.delete(found);
    },
  };
};
