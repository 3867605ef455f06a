import { writeSync } from 'node:fs';

/** Processes may share a pipe: the kernel keeps a write of at most this size (PIPE_BUF) in one piece. */
const PIPE_BYTES = 4_096;
/** Full enough to write: most lines have less than a kilobyte. */
const PIPE_BATCH_BYTES = 3_072;
/** A file takes large writes: a system call costs as much as hundreds of lines. */
const FILE_BATCH_BYTES = 65_536;
/** The longest that a line waits for its batch, and what a kill -9 may lose. */
const FLUSH_MS = 100;
/** What waits, at most, while a pipe is full or a disk refuses: some ten thousand lines. */
const WAITING_BYTES = 4_194_304;
/** A pipe that is full is tried again after this time, doubled with every refusal. */
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [5, 100];
/** How long the end of the process waits for a reader. */
const FINISH_MS = 2_000;
/** Between two attempts of a process that exits. */
const EXIT_RETRY_MS = 20;

/** Where the lines of a log go. */
export interface LineOutput {
  /** @param line with its line feed */
  write(line: string): void;
  /** No more lines will come: from now on a reader has two seconds for what waits. */
  finish(): void;
  /** Writes what waits before the process exits, within these two seconds. */
  exit(): void;
}

export interface LineListeners {
  /** Lines that did not fit. */
  dropped(lines: number): void;
  /** Everything that waited has been written. */
  drained(): void;
}

interface Batch {
  rest: Uint8Array;
  readonly lines: number;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Gathers lines and writes them in batches, on the main thread: a write that the kernel takes at once costs less than
 * a trip to another thread. What it refuses waits and is tried again; what does not fit is dropped.
 */
export class BatchedOutput implements LineOutput {
  readonly #descriptor: number;
  readonly #listeners: LineListeners;
  /** A batch is written when it is full, and never grows beyond the most. */
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

  /** @param isPipe a pipe or a socket that does not block; otherwise a file */
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

  /** @returns whether the kernel took all of it */
  #writeBatch(batch: Batch): boolean {
    try {
      while (batch.rest.length > 0) {
        const written = writeSync(this.#descriptor, batch.rest);
        this.#waitingBytes -= written;
        batch.rest = batch.rest.subarray(written);
      }
      return true;
    } catch (error) {
      // It has no reader any more, or the time is over.
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
