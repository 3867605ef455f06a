import { writeSync } from 'node:fs';

/** A pipe may be shared by several processes: the kernel keeps a write of at most this size (PIPE_BUF) in one piece, so that lines stay whole. */
const PIPE_BYTES = 4_096;
/** Full enough to write: most lines have less than a kilobyte. */
const PIPE_BATCH_BYTES = 3_072;
/** A file takes large writes: a system call costs as much as hundreds of lines. */
const FILE_BATCH_BYTES = 65_536;
/** The longest that a line waits for its batch, and what a kill -9 may lose. */
const FLUSH_MS = 100;
/** What waits, at most, while a pipe is full or a disk refuses: some ten thousand lines. What does not fit is dropped and counted. */
const WAITING_BYTES = 4_194_304;
/** A pipe that is full is tried again after this time, doubled with every refusal. */
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [5, 100];
/** How long the end of the process waits for a reader. */
const FINISH_MS = 2_000;
/** Between two attempts of a process that exits. */
const EXIT_RETRY_MS = 20;

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
 * Gathers lines and writes them in batches, on the main thread: a write that the kernel takes at once costs less than a trip to another thread.
 * What it refuses waits and is tried again.
 * @param isPipe a pipe or a socket, which must not block; otherwise a file
 */
export const createLineOutput = (descriptor: number, isPipe: boolean, { dropped, drained }: LineListeners): LineOutput => {
  const [fullBytes, mostBytes] = isPipe ? [PIPE_BATCH_BYTES, PIPE_BYTES] : [FILE_BATCH_BYTES, Infinity];
  let text = '';
  let bytes = 0;
  let lines = 0;
  const waiting: Batch[] = [];
  let waitingBytes = 0;
  let retryMs = SHORTEST_RETRY_MS;
  let retrying: NodeJS.Timeout | undefined;
  let deadline = Infinity;
  let isClosed = false;

  const close = (): void => {
    isClosed = true;
    waiting.length = 0;
    clearTimeout(retrying);
  };
  /** @returns whether the kernel took all of it */
  const writeBatch = (batch: Batch): boolean => {
    try {
      while (batch.rest.length > 0) {
        const written = writeSync(descriptor, batch.rest);
        waitingBytes -= written;
        batch.rest = batch.rest.subarray(written);
      }
      return true;
    } catch (error) {
      if (codeOf(error) === 'EPIPE' || performance.now() > deadline) close();
      return false;
    }
  };
  const writeWaiting = (): void => {
    retrying = undefined;
    for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
      if (!writeBatch(batch)) {
        if (isClosed) return;
        retrying = setTimeout(writeWaiting, retryMs);
        retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
        return;
      }
      retryMs = SHORTEST_RETRY_MS;
      waiting.shift();
    }
    drained();
  };
  const flush = (): void => {
    if (lines === 0) return;
    const batch = { rest: Buffer.from(text), lines };
    [text, bytes, lines] = ['', 0, 0];
    if (isClosed) return;
    if (waitingBytes + batch.rest.length > WAITING_BYTES) return dropped(batch.lines);
    waitingBytes += batch.rest.length;
    waiting.push(batch);
    if (retrying === undefined) writeWaiting();
  };
  setInterval(flush, FLUSH_MS).unref();
  const finish = (): void => {
    deadline = Math.min(deadline, performance.now() + FINISH_MS);
  };

  return {
    write: (line) => {
      const length = Buffer.byteLength(line);
      if (bytes + length > mostBytes) flush();
      text += line;
      bytes += length;
      lines += 1;
      if (bytes >= fullBytes) flush();
    },
    finish,
    exit: () => {
      finish();
      flush();
      const pause = new Int32Array(new SharedArrayBuffer(4));
      while (waiting.length > 0) {
        clearTimeout(retrying);
        writeWaiting();
        if (waiting.length > 0) Atomics.wait(pause, 0, 0, EXIT_RETRY_MS);
      }
    },
  };
};
