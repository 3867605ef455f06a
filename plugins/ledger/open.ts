import type { PrimaryServices } from '../../core/index.ts';
import { createMeters } from './meters.ts';
import type { Report } from './messages.ts';
import type { AskLedger } from './read/questions.ts';
import type { LedgerOptions } from './schema.ts';
import { createReader } from './reader.ts';
import { isPrivate, isSqlite, readHousekeepingSettings, readWriteSettings, type Place } from './settings.ts';
import { startThread } from './thread.ts';
import { createWriter, type LedgerWriter } from './writer.ts';

type Lent = Place & Pick<PrimaryServices, 'metrics' | 'clock' | 'log' | 'keep'>;

/** What is kept under a name that says all that it was made of: a reload that changes it opens another. */
const nameOf = (what: string, url: string, options: LedgerOptions): string =>
  `ledger/${what} ${url} ${JSON.stringify(options)}`;

interface FollowedWriter extends LedgerWriter {
  /** @param found called when what was spent earlier may be more than was answered so far @returns what ends that */
  follow(found: () => void): () => void;
}

/** The one that writes for this process; it outlives reloads. @throws GatewayError KOINE_STORE_FAILED */
export function openWriter(options: LedgerOptions, lent: Lent): Promise<FollowedWriter> {
  const { databaseUrl: url, metrics, clock, log, keep } = lent;
  const create = async (): Promise<FollowedWriter> => {
    const followers = new Set<() => void>();
    const meters = createMeters(metrics, isSqlite(url) ? 'sqlite' : 'postgres');
    let onReport = (_report: Report): void => {};
    const thread = await startThread(
      { url, writes: readWriteSettings(options, lent) },
      { log, onReport: (report) => onReport(report), onFound: () => followers.forEach((found) => found()) },
    );
    const writer = createWriter({ thread, meters, clock, log });
    ({ onReport } = writer);
    const follow = (found: () => void): (() => void) => {
      followers.add(found);
      return () => void followers.delete(found);
    };
    return { ...writer, follow };
  };
  return keep(nameOf('writer', url, options), create, async (opening) => (await opening).close());
}

/** The ledger as who reads it sees it. */
export interface Books {
  readonly ask: AskLedger;
  /** @param found called when what was spent earlier may be more than was answered so far @returns what ends that */
  follow(found: () => void): () => void;
}

/**
 * For the primary instance. The thread of the writer, of which there is one in any case, looks after what others leave, and
 * says what was spent: requests wait for that, and it takes a millisecond. Reports take longer than a row may wait:
 * they have a thread of their own, while they are asked for. A database in memory is the writer's own, and has nothing
 * that was left.
 */
export async function openBooks(options: LedgerOptions, lent: Lent): Promise<Books> {
  const { databaseUrl: url, log, keep } = lent;
  const writer = await openWriter(options, lent);
  if (isPrivate(url)) return { ask: writer.ask, follow: () => () => {} };
  writer.keepHouse(readHousekeepingSettings(options, lent));
  const create = () => createReader(() => startThread({ url }, { log }));
  const reader = keep(nameOf('reader', url, options), create, (each) => each.close());
  const ask: AskLedger = (question, query) => (question === 'spent' ? writer : reader).ask(question, query);
  return { ask, follow: writer.follow };
}
