import { once } from 'node:events';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { GatewayError, type Log } from '../../core/api/index.ts';
import type {
  FromThread,
  HousekeepingSettings,
  Report,
  RowsToWrite,
  SinkReport,
  ThreadSettings,
  ToThread,
} from './messages.ts';
import type { Queries, QueryLedger, QueryResult } from './read/queries.ts';

/** How long the thread may take to end: a write that is under way. */
const CLOSE_MS = 3_000;
const RESTART_MS = 1_000;

const program = new URL('./thread/start.js', import.meta.url);

/** A worker thread with the connection to the database. */
export interface LedgerThread {
  /** Writes rows. Only one call may be pending. @returns whether they are in the database */
  write(rows: RowsToWrite): Promise<boolean>;
  readonly query: QueryLedger;
  /**
   * Starts to clean up after dead processes and to delete expired rows. Called again, it writes at once what another
   * process has left.
   */
  startHousekeeping(settings: HousekeepingSettings): void;
  /**
   * Opens a way for the rows of another thread. It is closed when this thread ends, also if that is replaced.
   * @param process the id of the writer in the ledger
   * @throws GatewayError KOINE_STORE_FAILED while there is no thread
   */
  openPort(process: string): MessagePort;
  /** Ends the thread after the write that is under way. */
  close(): Promise<void>;
}

interface ThreadParts {
  readonly log: Log;
  readonly onReport?: (report: Report) => void;
  readonly onSinkReport?: (report: SinkReport) => void;
  /** Called when earlier results of `spent` may have been too low. */
  readonly onSpendingChanged?: () => void;
}

interface PendingQuery {
  resolve(value: unknown): void;
  reject(error: GatewayError): void;
}

const threadEnded = (): GatewayError => new GatewayError('KOINE_STORE_FAILED', 'The ledger thread ended.');

/**
 * Starts a thread that is replaced when it dies. The new one gets the rows that the old one had not accepted.
 * Resolves when the database is open.
 * @throws GatewayError KOINE_STORE_FAILED
 */
export async function startThread(settings: ThreadSettings, parts: ThreadParts): Promise<LedgerThread> {
  const thread = new SupervisedThread(settings, parts);
  await thread.start();
  return thread;
}

class SupervisedThread implements LedgerThread {
  readonly #settings: ThreadSettings;
  readonly #parts: ThreadParts;
  readonly #queries = new Map<number, PendingQuery>();
  #lastQuery = 0;
  #writing: { readonly rows: RowsToWrite; resolve(written: boolean): void } | undefined;
  #housekeeping: HousekeepingSettings | undefined;
  #isClosing = false;
  #isStarted = false;
  /** undefined: the last one died, and its replacement is not started yet. */
  #worker: Worker | undefined;
  #restartTimer: NodeJS.Timeout | undefined;

  constructor(settings: ThreadSettings, parts: ThreadParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    try {
      await this.#startWorker();
      this.#isStarted = true;
    } catch (error) {
      await this.#worker?.terminate();
      throw error instanceof GatewayError
        ? error
        : new GatewayError('KOINE_STORE_FAILED', 'The ledger thread could not be started.', { cause: error });
    }
  }

  write(rows: RowsToWrite): Promise<boolean> {
    return new Promise((resolve) => {
      this.#writing = { rows, resolve };
      this.#post({ kind: 'rows', ...rows });
    });
  }

  query<Name extends keyof Queries>(name: Name, parameters: Parameters<Queries[Name]>[1]): Promise<QueryResult<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#worker === undefined) throw threadEnded();
      const id = (this.#lastQuery += 1);
      this.#queries.set(id, { resolve: resolve as PendingQuery['resolve'], reject });
      this.#post({ kind: 'query', id, name, parameters });
    });
  }

  openPort(process: string): MessagePort {
    if (this.#worker === undefined) throw threadEnded();
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ kind: 'writer', process, port: port2 } satisfies ToThread, [port2]);
    return port1;
  }

  startHousekeeping(settings: HousekeepingSettings): void {
    this.#housekeeping = settings;
    this.#post({ kind: 'housekeeping', settings });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    if (worker === undefined) return;
    const exit = once(worker, 'exit');
    this.#post({ kind: 'close' });
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await exit;
    clearTimeout(timer);
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
    this.#worker?.postMessage(message);
  }

  #startWorker(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(program, { workerData: this.#settings, name: 'ledger' });
      this.#worker = worker;
      let reason: unknown = new Error('The ledger thread ended.');
      worker.on('error', (error) => (reason = error));
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'ready') resolve();
        else if (message.kind === 'failed') reject(new GatewayError('KOINE_STORE_FAILED', message.message));
        else this.#receive(message);
      });
      worker.once('exit', () => {
        reject(reason);
        this.#onExit(reason);
      });
    });
  }

  #receive(message: FromThread): void {
    const { log, onReport, onSinkReport, onSpendingChanged } = this.#parts;
    if (message.kind === 'accepted') {
      const done = this.#writing;
      this.#writing = undefined;
      done?.resolve(message.written);
    } else if (message.kind === 'result') this.#takeQuery(message.id)?.resolve(message.value);
    else if (message.kind === 'query-failed')
      this.#takeQuery(message.id)?.reject(new GatewayError('KOINE_STORE_FAILED', message.message));
    else if (message.kind === 'report') onReport?.(message.report);
    else if (message.kind === 'sink-report') onSinkReport?.(message.report);
    else if (message.kind === 'spending-changed') onSpendingChanged?.();
    else if (message.kind === 'log') log[message.level](message.fields, message.text);
  }

  #takeQuery(id: number): PendingQuery | undefined {
    const query = this.#queries.get(id);
    this.#queries.delete(id);
    return query;
  }

  #onExit(reason: unknown): void {
    this.#worker = undefined;
    for (const id of this.#queries.keys()) this.#takeQuery(id)?.reject(threadEnded());
    if (this.#isClosing || !this.#isStarted) return;
    this.#parts.log.error({ error: reason }, 'the ledger thread has died; restarting it');
    this.#restartTimer = setTimeout(() => this.#restart(), RESTART_MS);
  }

  #restart(): void {
    this.#startWorker().then(
      () => this.#resume(),
      // Its exit schedules the next restart.
      () => this.#worker?.terminate(),
    );
  }

  /** Gives a restarted thread the work of the one before it. */
  #resume(): void {
    // It knows of no outage yet.
    this.#parts.onReport?.({ written: 0, failed: 0, downSince: undefined });
    if (this.#housekeeping !== undefined) this.#post({ kind: 'housekeeping', settings: this.#housekeeping });
    if (this.#writing !== undefined) this.#post({ kind: 'rows', ...this.#writing.rows });
  }
}
