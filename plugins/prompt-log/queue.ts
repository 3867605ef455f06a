import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Log, Metrics } from '../../core/api/index.ts';
import type { Kept } from './record.ts';
import type { Line, Sink } from './sinks/sink.ts';

/** Most bytes of lines that are written at once. */
const BATCH_BYTES = 1_048_576;
/** How long `close` waits for the last lines. */
const CLOSE_MS = 2_000;

interface Waiting {
  readonly kept: Kept;
  readonly bytes: number;
}

export interface QueueParts {
  readonly sinks: readonly Sink[];
  /** Writes a record as the line of a sink. */
  readonly writeLine: (kept: Kept) => string;
  readonly maxBytes: number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Writes records outside the path of requests, in batches. Drops and counts what does not fit into its memory. */
export class RecordQueue {
  readonly #parts: QueueParts;
  readonly #count: (sink: string, result: 'written' | 'failed' | 'dropped', records: number) => void;
  readonly #down = new Set<string>();
  #waiting: Waiting[] = [];
  #bytes = 0;
  #isFull = false;
  #running: Promise<void> | undefined;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    const records = parts.metrics.counter(
      'koine_prompt_log_records_total',
      'Records of the prompt log, by sink and result.',
      ['sink', 'result'],
    );
    this.#count = (sink, result, count) => records.bind([sink, result])(count);
  }

  add(kept: Kept, bytes: number): void {
    const { maxBytes, log } = this.#parts;
    if (this.#bytes + bytes > maxBytes) {
      this.#count('memory', 'dropped', 1);
      if (!this.#isFull) log.warn({ bytes: this.#bytes }, 'the prompt log drops records: its sinks are too slow');
      this.#isFull = true;
      return;
    }
    this.#bytes += bytes;
    this.#waiting.push({ kept, bytes });
    this.#running ??= this.#run();
  }

  /** Waits two seconds at most. */
  async close(): Promise<void> {
    await Promise.race([this.#running, delay(CLOSE_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const { lines, bytes } = await this.#takeBatch();
      await Promise.all(this.#parts.sinks.map((sink) => this.#write(sink, lines)));
      this.#bytes -= bytes;
      this.#isFull = false;
    }
    this.#running = undefined;
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

  async #write(sink: Sink, lines: readonly Line[]): Promise<void> {
    const { log } = this.#parts;
    try {
      await sink.write(lines);
      this.#count(sink.name, 'written', lines.length);
      if (this.#down.delete(sink.name)) log.info({ sink: sink.name }, 'the prompt log is written again');
    } catch (error) {
      this.#count(sink.name, 'failed', lines.length);
      if (!this.#down.has(sink.name))
        log.warn({ sink: sink.name, error }, 'the prompt log is not written; records are lost');
      this.#down.add(sink.name);
    }
  }
}
