import { setTimeout as delay } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Log } from '../../core/api/index.ts';
import type { FromWriter, Report, RowsToWrite, ToWriter } from './messages.ts';
import type { LedgerThread } from './thread.ts';

/** How long the thread may take to end a write that is under way. */
const CLOSE_MS = 3_000;
const AGAIN_MS = 500;

interface PortParts {
  /** Asks the main thread for a port. @throws while its ledger thread is being replaced */
  readonly open: () => Promise<MessagePort>;
  readonly log: Log;
  readonly onReport: (report: Report) => void;
}

/**
 * The way from the writer of a worker thread to the one ledger thread of the host: a port of its own, without a hop
 * over the main thread. If the ledger thread is replaced, its successor gets what it had not accepted.
 */
export class PortToThread implements Pick<LedgerThread, 'write' | 'close'> {
  readonly #parts: PortParts;
  #port: MessagePort | undefined;
  #writing: { readonly rows: RowsToWrite; resolve(written: boolean): void } | undefined;
  readonly #closed = Promise.withResolvers<void>();
  #isClosing = false;

  constructor(parts: PortParts) {
    this.#parts = parts;
  }

  /** @throws GatewayError if the main thread does not respond */
  async open(): Promise<void> {
    const port = await this.#parts.open();
    if (this.#isClosing) return port.close();
    this.#port = port;
    port.on('message', (message: ToWriter) => this.#receive(message));
    port.once('close', () => this.#onClose());
    if (this.#writing !== undefined) this.#post({ kind: 'rows', ...this.#writing.rows });
  }

  write(rows: RowsToWrite): Promise<boolean> {
    return new Promise((resolve) => {
      this.#writing = { rows, resolve };
      this.#post({ kind: 'rows', ...rows });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#port === undefined) return;
    this.#post({ kind: 'close' });
    await Promise.race([this.#closed.promise, delay(CLOSE_MS, undefined, { ref: false })]);
    this.#port?.close();
  }

  #post(message: FromWriter): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port is not a window
    this.#port?.postMessage(message);
  }

  #receive(message: ToWriter): void {
    const { log, onReport } = this.#parts;
    if (message.kind === 'report') onReport(message.report);
    else if (message.kind === 'log') log[message.level](message.fields, message.text);
    else {
      const done = this.#writing;
      this.#writing = undefined;
      done?.resolve(message.written);
    }
  }

  #onClose(): void {
    this.#port = undefined;
    this.#closed.resolve();
    if (this.#isClosing) return;
    // A successor knows of no outage yet.
    this.#parts.onReport({ written: 0, failed: 0, downSince: undefined });
    void this.#openAgain();
  }

  async #openAgain(): Promise<void> {
    while (!this.#isClosing && this.#port === undefined)
      await this.open().catch(() => delay(AGAIN_MS, undefined, { ref: false }));
  }
}
