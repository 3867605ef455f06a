import { writeSync } from 'node:fs';
import { Unconfirmed, type Batch } from './unconfirmed.ts';

/** Processes can share a pipe: the kernel does not split a write of up to this size (PIPE_BUF). */
const PIPE_BYTES = 4_096;
/** Files accept large writes, and a system call costs as much as hundreds of lines. */
const FILE_BATCH_BYTES = 65_536;
/** Maximum size of the queue while a pipe is full or a disk fails: some thousands of lines. */
const WAITING_BYTES = 4_194_304;
/** Once lines are dropped, all are until the queue is this short: one long gap is reported, not many short ones. */
const RESUME_BYTES = WAITING_BYTES / 2;
/**
 * Delay before a full pipe is tried again; doubled with every failure. It stays short: processes that share the pipe
 * would otherwise fill it in between, and the one that waits longest would drop its lines.
 */
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [5, 20];
/** How long the exiting process waits for a reader. */
const FINISH_MS = 2_000;
/** Between two attempts of an exiting process. */
const EXIT_RETRY_MS = 20;

/** The destination of log lines. */
export interface LineOutput {
  /** @param text one line, or as many as `lines` says, including their line feeds */
  write(text: string, lines?: number): void;
  /** Called after the last line: from now on a reader has 2 s to read the queue. */
  finish(): void;
  /** Writes the queue before the process exits, within these 2 s. */
  exit(): void;
  /** Whether the operating system has every line. */
  readonly isIdle: boolean;
  /**
   * The process that reads the pipe has handed on this many lines since the last call. Others are written once more if
   * that process dies: they may have died with it.
   */
  confirm(lines: number): void;
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
  #descriptor: number;
  #spare: number | undefined;
  readonly #listeners: LineListeners;
  /** A batch is written at `#fullBytes`, and never exceeds `#mostBytes` unless one line does. */
  readonly #fullBytes: number;
  readonly #mostBytes: number;
  #text = '';
  #bytes = 0;
  #lines = 0;
  #isScheduled = false;
  readonly #flushTurn = (): void => {
    this.#isScheduled = false;
    this.#flush();
  };
  readonly #waiting: Batch[] = [];
  #waitingBytes = 0;
  /** Only where there is a spare. */
  readonly #unconfirmed = new Unconfirmed(WAITING_BYTES);
  #retryMs = SHORTEST_RETRY_MS;
  #retrying: NodeJS.Timeout | undefined;
  /** The code of the last write that failed. */
  #failure = '';
  /** The lines that were dropped since the last report; while it is above zero, all are. */
  #missing = 0;
  #deadline = Infinity;
  #isClosed = false;

  /**
   * @param isPipe a non-blocking pipe or socket; otherwise a file
   * @param spare takes the place of a pipe whose reader has closed it
   */
  constructor(descriptor: number, isPipe: boolean, listeners: LineListeners, spare?: number) {
    this.#descriptor = descriptor;
    this.#spare = spare;
    this.#listeners = listeners;
    [this.#fullBytes, this.#mostBytes] = isPipe ? [PIPE_BYTES, PIPE_BYTES] : [FILE_BATCH_BYTES, Infinity];
  }

  write(text: string, lines = 1): void {
    const length = Buffer.byteLength(text);
    if (this.#bytes + length > this.#mostBytes) this.#flush();
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#flushTurn);
    }
    this.#text += text;
    this.#bytes += length;
    this.#lines += lines;
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
    if (this.#missing > 0)
      writeToStandardError(`koine: ${this.#missing} lines of the log were lost at the exit (${this.#reason})\n`);
  }

  get isIdle(): boolean {
    return this.#lines === 0 && this.#waiting.length === 0;
  }

  confirm(lines: number): void {
    this.#unconfirmed.confirm(lines);
  }

  get #reason(): DropReason {
    if (this.#failure === 'EAGAIN') return 'slow_reader';
    return this.#failure === 'EPIPE' ? 'closed' : 'write_error';
  }

  #flush(): void {
    if (this.#lines === 0) return;
    const whole = Buffer.from(this.#text);
    const batch = { whole, rest: whole, lines: this.#lines };
    [this.#text, this.#bytes, this.#lines] = ['', 0, 0];
    if (this.#missing > 0 && !this.#isClosed && this.#waitingBytes <= RESUME_BYTES) this.#resume();
    const isFull = this.#waitingBytes + batch.rest.length > WAITING_BYTES;
    if (this.#isClosed || this.#missing > 0 || isFull) return this.#drop(batch.lines);
    this.#queue(batch);
  }

  #queue(batch: Batch): void {
    this.#waitingBytes += batch.rest.length;
    this.#waiting.push(batch);
    if (this.#retrying === undefined) this.#writeWaiting();
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
      if (!this.#writeBatch(batch)) {
        if (this.#failure !== 'EPIPE' || this.#spare === undefined) return this.#retry();
        this.#use(this.#spare, batch);
        continue;
      }
      this.#retryMs = SHORTEST_RETRY_MS;
      this.#waiting.shift();
      if (this.#spare !== undefined) this.#unconfirmed.add(batch);
    }
    if (this.#missing > 0) this.#resume();
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
      this.#failure = codeOf(error);
      // The reader has closed the pipe, or the deadline has passed.
      this.#isClosed = this.#failure === 'EPIPE' || performance.now() > this.#deadline;
      return false;
    }
  }

  /** A line that was written in part is written again, and so are those that the reader has not confirmed. */
  #use(spare: number, batch: Batch): void {
    [this.#descriptor, this.#spare, this.#isClosed] = [spare, undefined, false];
    batch.rest = batch.whole;
    this.#waiting.unshift(...this.#unconfirmed.take());
    this.#waitingBytes = this.#waiting.reduce((sum, { rest }) => sum + rest.length, 0);
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
