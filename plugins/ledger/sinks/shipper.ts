import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerDatabase } from '../thread/insert.ts';
import type { WriteLog } from '../thread/journal.ts';
import type { Sink } from './sink.ts';
import { claimSink, markShipped, takeBatch, takeHistory, type Batch } from './unshipped.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

interface ShipperParts {
  readonly name: string;
  readonly everyMs: number;
  /** Most rows of a batch. */
  readonly rows: number;
  readonly database: LedgerDatabase;
  /** Id of this process in the ledger. */
  readonly process: string;
  /** Makes the sink known to the database. */
  register(): Promise<void>;
  open(): Promise<Sink>;
  /** Called after each batch, and each failure. */
  report(figures: { readonly rows: number; readonly failures: number }): void;
  readonly log: WriteLog;
}

/** Ships the rows of one sink, in batches, while no other process does. What fails is tried again. */
export class Shipper {
  readonly #parts: ShipperParts;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #sink: Sink | undefined;
  #isRegistered = false;
  /** A batch that failed. It is written again as it is, so that a bucket has one object of it. */
  #pending: Batch | undefined;
  /** In a row. */
  #failures = 0;

  constructor(parts: ShipperParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  /** Ends after the batch that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#close();
  }

  /** The next batch opens it again. */
  async #close(): Promise<void> {
    const sink = this.#sink;
    this.#sink = undefined;
    await sink?.close().catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const waitMs = await this.#round();
      if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Ships one batch. @returns milliseconds until the next round */
  async #round(): Promise<number> {
    const { name, everyMs, log, report } = this.#parts;
    try {
      const isFull = await this.#ship();
      if (this.#failures > 0) log('info', { sink: name }, 'the sink of the ledger gets its rows again');
      this.#failures = 0;
      return isFull ? 0 : everyMs;
    } catch (error) {
      if (this.#failures === 0)
        log('error', { sink: name, error }, 'the sink of the ledger gets no rows; they wait in the database');
      this.#failures += 1;
      report({ rows: 0, failures: 1 });
      await this.#close();
      return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
    }
  }

  /** @returns whether there are probably further rows */
  async #ship(): Promise<boolean> {
    const { name, database, process, rows: most, register, open, report, log } = this.#parts;
    if (!this.#isRegistered) await register();
    this.#isRegistered = true;
    if (!(await claimSink(database, name, process))) {
      this.#pending = undefined;
      return false;
    }
    const batch = (this.#pending ??= await this.#take(most));
    if (batch === undefined) return false;
    if (batch.missing > 0)
      log('error', { sink: name, rows: batch.missing }, 'rows were deleted before the sink of the ledger had them');
    this.#sink ??= await open();
    if (batch.rows.length > 0) await this.#sink.write(batch.rows);
    await markShipped(database, name, batch);
    this.#pending = undefined;
    report({ rows: batch.rows.length, failures: 0 });
    if (batch.history === null) log('info', { sink: name }, 'the sink of the ledger has the rows from before it');
    return batch.isFull || batch.history !== undefined;
  }

  /** New rows come first. */
  async #take(most: number): Promise<Batch | undefined> {
    const { name, database } = this.#parts;
    const batch = await takeBatch(database, name, most);
    return batch.entries.length > 0 ? batch : takeHistory(database, name, most);
  }
}
