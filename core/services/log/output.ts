import { writeSync } from 'node:fs';

/** Processes can share a pipe: the kernel does not split a write of up to this size (PIPE_BUF). */
const PIPE_BYTES = 4_096;
/** A batch of this size is written: most lines have less than a kilobyte. */
const PIPE_BATCH_BYTES = 3_072;
/** Files accept large writes, and a system call costs as much as hundreds of lines. */
const FILE_BATCH_BYTES = 65_536;
/** Maximum age of a batch, and what a `kill -9` can lose. */
const FLUSH_MS = 100;
/** Maximum size of the queue while a pipe is full or a disk fails: some ten thousand lines. */
const WAITING_BYTES = 4_194_304;
/** Delay before a full pipe is tried again; doubled with every failure. */
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [5, 100];
/** How long the exiting process waits for a reader. */
const FINISH_MS = 2_000;
/** Between two attempts of an exiting process. */
const EXIT_RETRY_MS = 20;

/** The destination of log lines. */
export interface LineOutput {
  /** @param line including its line feed */
  write(line: string): void;
  /** Called after the last line: from now on a reader has 2 s to read the queue. */
  finish(): void;
  /** Writes the queue before the process exits, within these 2 s. */
  exit(): void;
}

export interface LineListeners {
  /** Lines were dropped because the queue was full. */
  dropped(lines: number): void;
  /** The queue has been written. */
  drained(): void;
}

interface Batch {
  rest: Uint8Array;
  readonly lines: number;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Writes lines in batches, synchronously: a write that the kernel accepts costs less than passing it to another thread.
 * A refused write is queued and tried again; lines beyond the queue are dropped.
 */
export class BatchedOutput implements LineOutput {
  readonly #descriptor: number;
  readonly #listeners: LineListeners;
  /** A batch is written at `#fullBytes`, and never exceeds `#mostBytes`. */
  readonly #fullBytes: number;
  readonly #mostBytes: number;
  #text = '';
  #bytes = 0;
  #lines = 0;
  readonly #waiting: Batch[] = [];
  #waitingBytes = 0;
  #retryMs = SHORTEST_RETRY_MS;
  #retrying: NodeJS.Timeout | undefined;
  #deadline = Infinity;
  #isClosed = false;

  /** @param isPipe a non-blocking pipe or socket; otherwise a file */
  constructor(descriptor: number, isPipe: boolean, listeners: LineListeners) {
    this.#descriptor = descriptor;
    this.#listeners = listeners;
    [this.#fullBytes, this.#mostBytes] = isPipe ? [PIPE_BATCH_BYTES, PIPE_BYTES] : [FILE_BATCH_BYTES, Infinity];
    setInterval(() => this.#flush(), FLUSH_MS).unref();
  }

  write(line: string): void {
    const length = Buffer.byteLength(line);
    if (this.#bytes + length > this.#mostBytes) this.#flush();
    this.#text += line;
    this.#bytes += length;
    this.#lines += 1;
    if (this.#bytes >= this.#fullBytes) this.#flush();
  }

  finish(): void {
    this.#deadline = Math.min(this.#deadline, performance.now() + FINISH_MS);
  }

  exit(): void {
    this.finish();
    this.#flush();
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (this.#waiting.length > 0) {
      clearTimeout(this.#retrying);
      this.#writeWaiting();
      if (this.#waiting.length > 0) Atomics.wait(pause, 0, 0, EXIT_RETRY_MS);
    }
  }

  #flush(): void {
    if (this.#lines === 0) return;
    const batch = { rest: Buffer.from(this.#text), lines: this.#lines };
    [this.#text, this.#bytes, this.#lines] = ['', 0, 0];
    if (this.#isClosed) return;
    if (this.#waitingBytes + batch.rest.length > WAITING_BYTES) return this.#listeners.dropped(batch.lines);
    this.#waitingBytes += batch.rest.length;
    this.#waiting.push(batch);
    if (this.#retrying === undefined) this.#writeWaiting();
  }

  #writeWaiting(): void {
    this.#retrying = undefined;
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      if (!this.#writeBatch(batch)) return this.#retry();
      this.#retryMs = SHORTEST_RETRY_MS;
      this.#waiting.shift();
    }
    this.#listeners.drained();
  }

  /** @returns whether the kernel accepted all of it */
  #writeBatch(batch: Batch): boolean {
    try {
      while (batch.rest.length > 0) {
        const written = writeSync(this.#descriptor, batch.rest);
        this.#waitingBytes -= written;
        batch.rest = batch.rest.subarray(written);
      }
      return true;
    } catch (error) {
      // The reader has closed the pipe, or the deadline has passed.
      this.#isClosed = codeOf(error) === 'EPIPE' || performance.now() > this.#deadline;
      return false;
    }
  }

  #retry(): void {
    if (this.#isClosed) {
      this.#waiting.length = 0;
      return;
    }
    this.#retrying = setTimeout(() => this.#writeWaiting(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}
