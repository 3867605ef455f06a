import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Log, Metrics } from '../../core/api/index.ts';
import type { Kept } from './record.ts';
import type { Line, Sink } from './sinks/sink.ts';

/** Most bytes of lines that are written at once. */
const BATCH_BYTES = 1_048_576;
/** How long `close` waits for the last lines. */
const CLOSE_MS = 4_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

interface Waiting {
  readonly kept: Kept;
  readonly bytes: number;
}

export interface QueueParts {
  readonly sink: Sink;
  /** Writes a record as the line of a sink. */
  readonly writeLine: (kept: Kept) => string;
  readonly maxBytes: number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Writes records to one sink, outside the path of requests, in batches. Drops what does not fit into its memory. */
export class RecordQueue {
  readonly #parts: QueueParts;
  readonly #count: (result: 'written' | 'failed' | 'dropped', records: number) => void;
  #waiting: Waiting[] = [];
  /** Of the records that wait or are being written. */
  #bytes = 0;
  #records = 0;
  #isFull = false;
  #isDown = false;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #running: Promise<void> | undefined;
  /** Ends the current pause. */
  #wake = new AbortController();
  #isGathering = false;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    const records = parts.metrics.counter(
      'koine_prompt_log_records_total',
      'Records of the prompt log, by sink and result.',
      ['sink', 'result'],
    );
    this.#count = (result, count) => records.bind([parts.sink.name, result])(count);
  }

  add(kept: Kept, bytes: number): void {
    const { maxBytes, log, sink } = this.#parts;
    if (this.#bytes + bytes > maxBytes) {
      this.#count('dropped', 1);
      if (!this.#isFull)
        log.warn({ sink: sink.name, bytes: this.#bytes }, 'the prompt log drops records: its sink is too slow');
      this.#isFull = true;
      return;
    }
    this.#bytes += bytes;
    this.#records += 1;
    this.#waiting.push({ kept, bytes });
    if (this.#isGathering && this.#bytes >= BATCH_BYTES) this.#wake.abort();
    this.#running ??= this.#run();
  }

  /** Writes what waits, for four seconds at most. */
  async close(): Promise<void> {
    const { sink, log } = this.#parts;
    this.#state = 'closing';
    this.#wake.abort();
    await Promise.race([this.#running, delay(CLOSE_MS, undefined, { ref: false })]);
    this.#state = 'closed';
    if (this.#records > 0) {
      this.#count('failed', this.#records);
      log.warn({ sink: sink.name, records: this.#records }, 'the prompt log is closed; records are lost');
    }
    sink.close?.();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && this.#state !== 'closed') {
      await this.#gather();
      const { lines, bytes } = await this.#takeBatch();
      await this.#write(lines);
      this.#bytes -= bytes;
      this.#isFull = false;
    }
    this.#running = undefined;
  }

  /** Waits until there is enough for a batch. */
  async #gather(): Promise<void> {
    const { gatherMs = 0 } = this.#parts.sink;
    if (gatherMs === 0 || this.#bytes >= BATCH_BYTES || this.#state !== 'open') return;
    this.#isGathering = true;
    await this.#pause(gatherMs);
    this.#isGathering = false;
  }

  async #pause(ms: number): Promise<void> {
    this.#wake = new AbortController();
    await delay(ms, undefined, { ref: false, signal: this.#wake.signal }).catch(() => {});
  }

  /** Each record is written in a turn of its own: requests are handled between them. */
  async #takeBatch(): Promise<{ readonly lines: readonly Line[]; readonly bytes: number }> {
    const lines: Line[] = [];
    let bytes = 0;
    let length = 0;
    while (length < BATCH_BYTES) {
      await nextTurn();
      const next = this.#waiting.shift();
      if (next === undefined) break;
      const text = this.#parts.writeLine(next.kept);
      lines.push({ text, time: next.kept.endedAt });
      bytes += next.bytes;
      length += text.length;
    }
    return { lines, bytes };
  }

  async #write(lines: readonly Line[]): Promise<void> {
    const { sink } = this.#parts;
    for (let retryMs = FIRST_RETRY_MS; this.#state !== 'closed'; retryMs *= 2) {
      try {
        await sink.write(lines);
        this.#end('written', lines);
        return;
      } catch (error) {
        this.#reportFailure(error);
        if (sink.repeats !== true) {
          this.#end('failed', lines);
          return;
        }
      }
      await this.#pause(this.#state === 'open' ? Math.min(retryMs, LONGEST_RETRY_MS) : FIRST_RETRY_MS);
    }
  }

  #end(result: 'written' | 'failed', lines: readonly Line[]): void {
    const { sink, log } = this.#parts;
    // `close` has counted them as lost.
    if (this.#state === 'closed') return;
    this.#count(result, lines.length);
    this.#records -= lines.length;
    if (result === 'failed' || !this.#isDown) return;
    this.#isDown = false;
    log.info({ sink: sink.name }, 'the prompt log is written again');
  }

  #reportFailure(error: unknown): void {
    const { sink, log } = this.#parts;
    if (this.#isDown) return;
    this.#isDown = true;
    const consequence = sink.repeats === true ? 'the write is repeated' : 'records are lost';
    log.warn({ sink: sink.name, error }, `the prompt log is not written; ${consequence}`);
  }
}
