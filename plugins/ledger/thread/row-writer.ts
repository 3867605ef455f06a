import type { MessagePort } from 'node:worker_threads';
import type { FromWriter, RowsToWrite, ToWriter } from '../messages.ts';
import type { LedgerRow } from '../row.ts';
import { readSpoolFile } from '../spool/spool-files.ts';
import type { Journal, WriteLog } from './journal.ts';

/** Sends a message to the thread of a writer. */
export type Post = (message: ToWriter) => void;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const createLog =
  (post: Post): WriteLog =>
  (level, { error, ...fields }: { readonly error?: unknown }, text) =>
    post({ kind: 'log', level, fields: error === undefined ? fields : { ...fields, error: messageOf(error) }, text });

/** Writes the rows of one writer. */
export class RowWriter {
  readonly #journal: Journal;
  readonly #post: Post;

  constructor(journal: Journal, post: Post) {
    this.#journal = journal;
    this.#post = post;
  }

  async write({ text, file }: RowsToWrite): Promise<void> {
    const given = JSON.parse(text) as readonly LedgerRow[];
    const waiting = file === undefined ? [] : this.#read(file);
    const isWritten = waiting !== undefined && (await this.#journal.write([...waiting, ...given]));
    this.#post({ kind: 'accepted', written: isWritten });
  }

  close(): void {
    this.#journal.close();
  }

  #read(file: string): readonly LedgerRow[] | undefined {
    try {
      return readSpoolFile(file);
    } catch (error) {
      const text = 'a file of the spool of the ledger cannot be read; its rows wait in it';
      createLog(this.#post)('error', { error, file }, text);
      return undefined;
    }
  }
}

/**
 * Writes the rows of a worker thread, which come by a port of its own. Its lease begins before its first row, and ends
 * with the port, which is closed when the worker has ended in any way.
 */
export function serveWriter(
  port: MessagePort,
  openJournal: (post: Post) => Journal,
  endLease: () => Promise<void>,
): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port is not a window
  const post: Post = (message) => port.postMessage(message);
  const journal = openJournal(post);
  const writer = new RowWriter(journal, post);
  const begun = journal.begin();
  port.on('message', (message: FromWriter) => {
    if (message.kind === 'rows') void begun.then(() => writer.write(message));
    else void begun.then(() => port.close());
  });
  port.once('close', () => {
    writer.close();
    void begun.then(endLease);
  });
}
