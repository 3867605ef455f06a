import { createSpoolPath, measureOtherFiles } from './spool-files.ts';
import { Segment } from './segment.ts';

/** Size of a segment: some thousand rows, which the thread reads and writes within a second. */
const SEGMENT_BYTES = 2_097_152;
/** Rows that may be in memory because their file cannot be written. */
const MEMORY_BYTES = 16_777_216;

export interface SpoolSettings {
  /** Prefix of the paths of the files; undefined: rows are kept in memory only. */
  readonly path: string | undefined;
  /** Most bytes of all files with this prefix. */
  readonly bytes: number;
}

/**
 * The rows of one process that are not in the database: a file for the rows of some 100 ms while the database is up,
 * and further ones while it is down. A row is in a file before its response ends, so that a `kill -9` does not lose it.
 */
export class Spool {
  readonly #settings: SpoolSettings;
  readonly #process: string;
  readonly #onError: (error: unknown) => void;
  /** Oldest first. Nothing is appended to them any more. */
  readonly #sealed: Segment[] = [];
  #current: Segment | undefined;
  /** Its rows are in the database, and its file is open: creating one costs more than a hundred writes. */
  #spare: Segment | undefined;
  #hasFailed = false;
  // Of all segments.
  #rows = 0;
  #bytes = 0;
  #memoryBytes = 0;
  /** Of the files of other processes. */
  #otherBytes = 0;

  /** @param onError called when a file cannot be written, once until one can be written again */
  constructor(settings: SpoolSettings, process: string, onError: (error: unknown) => void) {
    this.#settings = settings;
    this.#process = process;
    this.#onError = onError;
    this.#measureOthers();
  }

  /**
   * Hands rows to the operating system.
   * @param rows as JSON
   * @param since when the exchange of the first one began, in unix milliseconds
   * @param waits the database is down
   */
  append(rows: readonly string[], since: number, waits: boolean): void {
    const segment = (this.#current ??= this.#open());
    segment.since = Math.min(segment.since, since);
    this.#count(segment, -1);
    const error = segment.append(rows);
    if (waits) segment.waiting += rows.length;
    this.#count(segment, 1);
    if (error !== undefined && !this.#hasFailed) this.#onError(error);
    this.#hasFailed = error !== undefined;
    if (segment.bytes >= SEGMENT_BYTES) this.#seal(segment);
  }

  /** The segment to write next, the oldest. It stays until `remove`. */
  next(): Segment | undefined {
    if (this.#sealed.length === 0) this.seal();
    return this.#sealed[0];
  }

  /** Further rows are appended to another segment. */
  seal(): void {
    if (this.#current !== undefined) this.#seal(this.#current);
  }

  /**
   * The rows of the segment, which `next` has returned, could not be written.
   * @returns how many of them wait since now
   */
  keep(segment: Segment): number {
    segment.forgetLines();
    segment.close();
    const more = segment.rows - segment.waiting;
    segment.waiting = segment.rows;
    return more;
  }

  /** The rows of the segment, which `next` has returned, are in the database. */
  remove(segment: Segment): void {
    this.#sealed.shift();
    this.#count(segment, -1);
    if (this.#spare === undefined && segment.empty()) this.#spare = segment;
    else segment.remove();
  }

  /** Rows that wait. */
  get rows(): number {
    return this.#rows;
  }

  /** Of the rows that wait, as lines. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Segments are waiting that were sealed before the current one. */
  get isBehind(): boolean {
    return this.#sealed.length > 0;
  }

  /** When the exchange of the first row began, in unix milliseconds; Infinity without rows. */
  get since(): number {
    return (this.#sealed[0] ?? this.#current)?.since ?? Infinity;
  }

  get isFull(): boolean {
    return this.#otherBytes + this.#bytes >= this.#settings.bytes || this.#memoryBytes >= MEMORY_BYTES;
  }

  /** Leaves the files that have rows. @returns how many rows are in no file, and lost */
  close(): number {
    this.#spare?.remove();
    let lost = 0;
    for (const segment of this.#segments()) {
      segment.forgetLines();
      lost += segment.content.rows.length;
      segment.close();
    }
    return lost;
  }

  #open(): Segment {
    const { path } = this.#settings;
    const segment = this.#spare ?? new Segment(path && createSpoolPath(path, this.#process));
    this.#spare = undefined;
    // Two segments are in memory as well: the one that the thread is writing, and the one after it.
    if (this.#sealed.length > 1) segment.forgetLines();
    return segment;
  }

  #seal(segment: Segment): void {
    this.#sealed.push(segment);
    this.#current = undefined;
    if (this.#sealed.length > 1) {
      segment.close();
      this.#measureOthers();
    }
  }

  #segments(): readonly Segment[] {
    return this.#current === undefined ? this.#sealed : [...this.#sealed, this.#current];
  }

  #count({ rows, bytes, memoryBytes }: Segment, sign: 1 | -1): void {
    this.#rows += sign * rows;
    this.#bytes += sign * bytes;
    this.#memoryBytes += sign * memoryBytes;
  }

  #measureOthers(): void {
    const { path } = this.#settings;
    if (path === undefined) return;
    measureOtherFiles(path, this.#process).then(
      (bytes) => (this.#otherBytes = bytes),
      // A folder that cannot be read is noticed by the next write.
      () => {},
    );
  }
}
