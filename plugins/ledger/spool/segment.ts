import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeSpoolFile } from './spool-files.ts';

/** The file is readable by this user only. */
const openFile = (path: string): number => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'a', 0o600);
};

/** Rows in the order in which they came: a file with one row a line, and those that could not be written to it. */
export class Segment {
  /** Undefined: the rows are in memory only. */
  readonly path: string | undefined;
  rows = 0;
  /** Of all rows, as lines. */
  bytes = 0;
  /** Of the rows that are in memory only. */
  memoryBytes = 0;
  /** How many of the rows are known to wait for a database that is down. */
  waiting = 0;
  /** When the exchange of the first row began, in unix milliseconds. */
  since = Infinity;
  #descriptor: number | undefined;
  /** Bytes in the file. */
  #size = 0;
  /** Every row as JSON, so that the thread need not read the file; undefined once that would take too much memory. */
  #lines: string[] | undefined = [];
  /** Rows that the file lacks, as JSON. */
  #unwritten: string[] = [];

  constructor(path: string | undefined) {
    this.path = path;
  }

  /**
   * Hands the rows to the operating system in one write, or keeps them in memory.
   * @param rows as JSON
   * @returns why the file could not be written
   */
  append(rows: readonly string[]): unknown {
    const data = Buffer.from(`${rows.join('\n')}\n`);
    this.rows += rows.length;
    this.bytes += data.length;
    for (const row of rows) this.#lines?.push(row);
    let failure: unknown;
    try {
      if (this.path !== undefined) {
        this.#write(this.path, data);
        return undefined;
      }
    } catch (error) {
      failure = error;
    }
    this.memoryBytes += data.length;
    for (const row of rows) this.#unwritten.push(row);
    return failure;
  }

  /** What the thread has to write: a JSON list of rows, and a file with further rows. */
  get content(): { readonly rows: readonly string[]; readonly file: string | undefined } {
    if (this.#lines !== undefined) return { rows: this.#lines, file: undefined };
    return { rows: this.#unwritten, file: this.path };
  }

  /** From now on the rows are read from the file. */
  forgetLines(): void {
    this.#lines = undefined;
  }

  /** Nothing is appended any more. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** The rows are in the database. @returns whether the segment can be used again */
  empty(): boolean {
    try {
      if (this.#descriptor === undefined || fstatSync(this.#descriptor).nlink === 0) return false;
      ftruncateSync(this.#descriptor);
    } catch {
      return false;
    }
    [this.rows, this.bytes, this.memoryBytes, this.waiting, this.#size] = [0, 0, 0, 0, 0];
    this.since = Infinity;
    [this.#lines, this.#unwritten] = [[], []];
    return true;
  }

  remove(): void {
    try {
      this.close();
      if (this.path !== undefined) removeSpoolFile(this.path);
    } catch {
      // The folder can only be read. The next start writes the rows again, which changes nothing.
    }
  }

  /** Appends all of the data or nothing: a partial write to a full disk is truncated. */
  #write(path: string, data: Uint8Array): void {
    // Another gateway has adopted the file, and its rows: what is written to a removed file is lost.
    if (this.#lines === undefined && this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink === 0) {
      this.close();
      this.#size = 0;
    }
    const descriptor = (this.#descriptor ??= openFile(path));
    try {
      for (let written = 0; written < data.length;) written += writeSync(descriptor, data, written);
    } catch (error) {
      ftruncateSync(descriptor, this.#size);
      throw error;
    }
    this.#size += data.length;
  }
}
