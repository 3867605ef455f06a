import type { SeriesSnapshot } from '../../contracts/services.ts';
import { countWords, type Slots } from './figures.ts';
import type { MetricShape } from './shape.ts';

/** What a worker sends to the main thread, so that it finds the figures of each series in the memory of the worker. */
export type SeriesChange =
  /** The next chunk. */
  | { readonly kind: 'chunk'; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'metric'; readonly shape: MetricShape }
  | {
      readonly kind: 'series';
      /** Its number: never used twice in a thread. */
      readonly series: number;
      readonly metric: string;
      readonly labels: SeriesSnapshot['labels'];
      /** The number of its chunk. */
      readonly chunk: number;
      /** Its first word in the chunk. */
      readonly at: number;
    }
  /** The main thread reads it no more when it has responded. */
  | { readonly kind: 'dropped'; readonly series: number; readonly metric: string };

/** Sends a change to the main thread. Resolves with its response. */
export type AnnounceSeries = (change: SeriesChange) => Promise<unknown>;

/** The slots of one series, until they are given back. */
export interface SeriesSlots extends Slots {
  readonly series: number;
  readonly metric: string;
  readonly chunk: number;
  readonly size: number;
}

/** 32 KB: some hundred series. */
const CHUNK_WORDS = 4_096;

const ignore = (): void => {};

/** The memory of all series that a thread counts, in chunks. Slots of dropped series are used again. */
export class SeriesMemory {
  readonly #announce: AnnounceSeries | undefined;
  readonly #chunks: Float64Array[] = [];
  /** Words of the last chunk that are in use. */
  #used = 0;
  #lastSeries = 0;
  /** Slots that were given back, by their size. */
  readonly #free = new Map<number, Pick<SeriesSlots, 'chunk' | 'at'>[]>();

  /** @param announce of a worker, whose memory the main thread reads. Absent: nothing but this thread reads it */
  constructor(announce?: AnnounceSeries) {
    this.#announce = announce;
  }

  /** Makes a metric known. */
  declare(shape: MetricShape): void {
    this.#send({ kind: 'metric', shape });
  }

  /** @returns zeros */
  take(shape: MetricShape, labels: SeriesSnapshot['labels']): SeriesSlots {
    const size = countWords(shape);
    const { chunk, at } = this.#free.get(size)?.pop() ?? this.#append(size);
    const words = this.#chunks[chunk] ?? new Float64Array(0);
    words.fill(0, at, at + size);
    const series = (this.#lastSeries += 1);
    this.#send({ kind: 'series', series, metric: shape.name, labels, chunk, at });
    return { words, at, chunk, size, series, metric: shape.name };
  }

  /**
   * Gives slots back. They are used again when the main thread reads them no more, so that it never takes the figures
   * of another series for theirs. If it does not respond, they stay unused.
   */
  give({ chunk, at, size, series, metric }: SeriesSlots): void {
    const release = (): void => {
      const free = this.#free.get(size) ?? [];
      this.#free.set(size, free);
      free.push({ chunk, at });
    };
    if (this.#announce === undefined) release();
    else void this.#announce({ kind: 'dropped', series, metric }).then(release, ignore);
  }

  #append(size: number): Pick<SeriesSlots, 'chunk' | 'at'> {
    if (this.#used + size > (this.#chunks.at(-1)?.length ?? 0)) this.#addChunk(Math.max(size, CHUNK_WORDS));
    const at = this.#used;
    this.#used += size;
    return { chunk: this.#chunks.length - 1, at };
  }

  #addChunk(words: number): void {
    this.#used = 0;
    if (this.#announce === undefined) {
      this.#chunks.push(new Float64Array(words));
      return;
    }
    const memory = new SharedArrayBuffer(words * Float64Array.BYTES_PER_ELEMENT);
    this.#chunks.push(new Float64Array(memory));
    this.#send({ kind: 'chunk', memory });
  }

  /** At once: what a thread has counted when it ends is found only in series that were announced. */
  #send(change: SeriesChange): void {
    this.#announce?.(change).catch(ignore);
  }
}
