import { writeSync } from 'node:fs';
import type { PipeLock } from './pipe-lock.ts';

/** Other programs can share a pipe: the kernel does not split a write of up to this size (PIPE_BUF). */
const PIPE_BYTES = 4_096;
/** Files accept large writes, and a system call costs as much as hundreds of lines. */
const FILE_BATCH_BYTES = 65_536;
/** Maximum size of the queue while a pipe is full or a disk fails: some thousands of lines. */
const WAITING_BYTES = 4_194_304;
/** Once lines are dropped, all are until the queue is this short: one long gap is reported, not many short ones. */
const RESUME_BYTES = WAITING_BYTES / 2;
/**
 * Delay before a full pipe is tried again; doubled with every failure. It stays short: threads that share the pipe
 * would otherwise fill it in between, and the one that waits longest would drop its lines.
 */
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [5, 20];
/** How long the exiting process waits for a reader. */
const FINISH_MS = 2_000;
/** Between two attempts of an exiting process: all its threads write then, and a pipe holds only some lines. */
const EXIT_RETRY_MS = 1;

/** The destination of log lines. */
export interface LineOutput {
  /** @param text one line with its line feed */
  write(text: string): void;
  /** Writes the rest of a line that a worker has begun. */
  writeRest(rest: Uint8Array): void;
  /** Called after the last line: from now on a reader has 2 s to read the queue. */
  finish(): void;
  /** Writes the queue before the process exits, within these 2 s. */
  exit(): void;
}

/** Lines that are written together. */
interface Batch {
  rest: Uint8Array;
  /** A part of it is written. */
  isBegun: boolean;
  readonly lines: number;
}

/**
 * Why lines are dropped: the queue is full because the pipe is not read fast enough (`slow_reader`) or because a write
 * fails, for example on a full disk (`write_error`); or the reader has closed the pipe (`closed`).
 */
export type DropReason = 'slow_reader' | 'write_error' | 'closed';

/** Lines that are missing in the output at one place. */
export interface Gap {
  readonly lines: number;
  readonly reason: DropReason;
  /** Of the last write that failed. */
  readonly code: string;
}

export interface LineListeners {
  dropped(lines: number, reason: DropReason): void;
  /** Lines are accepted again. The listener reports the gap: the report stands where the lines are missing. */
  resumed(gap: Gap): void;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/** Standard error may be closed or full as well. */
const writeToStandardError = (text: string): void => {
  try {
    writeSync(2, text);
  } catch {
    // The text is lost.
  }
};

/**
 * Writes the lines of a turn of the event loop together, synchronously: a write that the kernel accepts costs less than
 * passing it to another thread. They are written in an immediate, and a response ends in a later one, so that a client
 * never has a whole response whose line a `kill -9` can lose. A refused write is queued and tried again; lines beyond
 * the queue are dropped.
 */
export class BatchedOutput implements LineOutput {
  readonly #descriptor: number;
  readonly #lock: PipeLock | undefined;
  readonly #listeners: LineListeners;
  /** The lines of this turn, encoded. They are written before a line that does not fit. */
  readonly #turn: Buffer;
  #bytes = 0;
  #lines = 0;
  #isScheduled = false;
  readonly #flushTurn = (): void => {
    this.#isScheduled = false;
    this.#flush();
  };
  readonly #waiting: Batch[] = [];
  #waitingBytes = 0;
  #retryMs = SHORTEST_RETRY_MS;
  #retrying: NodeJS.Timeout | undefined;
  /** The code of the last write that failed. */
  #failure = '';
  /** The lines that were dropped since the last report; while it is above zero, all are. */
  #missing = 0;
  #deadline = Infinity;
  #isClosed = false;

  /** @param lock of a non-blocking pipe or socket; absent: the descriptor is a file */
  constructor(descriptor: number, listeners: LineListeners, lock?: PipeLock) {
    this.#descriptor = descriptor;
    this.#lock = lock;
    this.#listeners = listeners;
    this.#turn = Buffer.allocUnsafeSlow(lock === undefined ? FILE_BATCH_BYTES : PIPE_BYTES);
  }

  write(text: string): void {
    const room = this.#turn.length - this.#bytes;
    // A character has at most three bytes: most lines need not be measured.
    if (3 * text.length > room && Buffer.byteLength(text) > room) {
      this.#flush();
      if (Buffer.byteLength(text) > this.#turn.length) return this.#send(Buffer.from(text), 1);
    }
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#flushTurn);
    }
    this.#bytes += this.#turn.write(text, this.#bytes);
    this.#lines += 1;
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
    if (this.#missing > 0)
      writeToStandardError(`koine: ${this.#missing} lines of the log were lost at the exit (${this.#reason})\n`);
  }

  writeRest(rest: Uint8Array): void {
    this.#waiting.unshift({ rest, isBegun: true, lines: 1 });
    this.#waitingBytes += rest.length;
    if (this.#retrying === undefined) this.#writeWaiting();
  }

  get #reason(): DropReason {
    if (this.#failure === 'EAGAIN') return 'slow_reader';
    return this.#failure === 'EPIPE' ? 'closed' : 'write_error';
  }

  #flush(): void {
    const lines = this.#lines;
    if (lines === 0) return;
    const bytes = this.#turn.subarray(0, this.#bytes);
    this.#bytes = 0;
    this.#lines = 0;
    // What may have to wait is copied: the next lines take its place.
    this.#send(this.#missing > 0 || this.#retrying !== undefined ? Buffer.from(bytes) : bytes, lines);
  }

  #send(bytes: Buffer, lines: number): void {
    const batch: Batch = { rest: bytes, isBegun: false, lines };
    if (this.#missing > 0 && !this.#isClosed && this.#waitingBytes <= RESUME_BYTES) this.#resume();
    const isFull = this.#waitingBytes + batch.rest.length > WAITING_BYTES;
    if (this.#isClosed || this.#missing > 0 || isFull) return this.#drop(batch.lines);
    this.#waitingBytes += batch.rest.length;
    this.#waiting.push(batch);
    if (this.#retrying === undefined) this.#writeWaiting();
    if (batch.rest.length > 0) batch.rest = Buffer.from(batch.rest);
  }

  #drop(lines: number): void {
    this.#missing += lines;
    this.#listeners.dropped(lines, this.#reason);
  }

  /** The report is queued before the batch that is next. */
  #resume(): void {
    const gap = { lines: this.#missing, reason: this.#reason, code: this.#failure };
    this.#missing = 0;
    this.#listeners.resumed(gap);
    this.#flush();
  }

  #writeWaiting(): void {
    this.#retrying = undefined;
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      if (!this.#writeBatch(batch)) return this.#retry();
      this.#retryMs = SHORTEST_RETRY_MS;
      this.#waiting.shift();
    }
    if (this.#missing > 0) this.#resume();
  }

  /** @returns whether nothing of it is left to write here */
  #writeBatch(batch: Batch): boolean {
    if (this.#lock?.enter(batch.isBegun) === false) return this.#fail('EAGAIN');
    try {
      while (batch.rest.length > 0) {
        const written = writeSync(this.#descriptor, batch.rest);
        this.#waitingBytes -= written;
        batch.rest = batch.rest.subarray(written);
        batch.isBegun = true;
      }
      this.#lock?.leave();
      return true;
    } catch (error) {
      this.#fail(codeOf(error));
      if (this.#isClosed || !batch.isBegun) this.#lock?.leave();
      else if (this.#lock?.leaveWithin(batch.rest) === true) {
        this.#waitingBytes -= batch.rest.length;
        return true;
      }
      return false;
    }
  }

  /** Without a reader, or after the deadline, nothing is written any more. */
  #fail(code: string): false {
    this.#failure = code;
    this.#isClosed = code === 'EPIPE' || performance.now() > this.#deadline;
    return false;
  }

  #retry(): void {
    if (this.#isClosed) {
      for (const { lines } of this.#waiting.splice(0)) this.#drop(lines);
      return;
    }
    this.#retrying = setTimeout(() => this.#writeWaiting(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}
