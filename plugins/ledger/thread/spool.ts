import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LedgerRow } from '../row.ts';
import { createSpoolPath, listSpoolFiles, readSpoolFile, removeSpoolFile } from './spool-files.ts';

export interface SpoolLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Rows that wait for the database. */
export interface SpoolBatch {
  read(): readonly LedgerRow[];
  /** Call it when the rows are in the database. */
  remove(): void;
}

interface Part {
  readonly path: string;
  descriptor?: number;
  /** Rows that could not be written to the file. */
  readonly memory: LedgerRow[];
  rows: number;
  bytes: number;
}

/** Appends all of the text or nothing: a partial write to a full disk is truncated. A removed file is an error. */
const appendText = (descriptor: number, text: string): void => {
  const { size, nlink } = fstatSync(descriptor);
  if (nlink === 0) throw new Error('The file was removed.');
  const data = Buffer.from(text);
  try {
    for (let written = 0; written < data.length;) written += writeSync(descriptor, data, written);
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
};

/** The file is readable by this user only. */
const openFile = (path: string): number => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'a', 0o600);
};

const readPart = (path: string): Part => {
  const rows = readSpoolFile(path);
  return { path, memory: [], rows: rows.length, bytes: JSON.stringify(rows).length };
};

/**
 * Where the rows of one process wait for the database: a file with one row a line, or memory when the file cannot be
 * written. Both count towards the limits.
 */
export class Spool {
  readonly #prefix: string;
  readonly #process: string;
  readonly #limits: SpoolLimits;
  readonly #onError: (error: unknown) => void;
  #sealed: readonly Part[];
  /** The part that rows are appended to. */
  #current: Part | undefined;
  #hasFailed = false;

  /**
   * @param prefix of the paths of the files
   * @param onError called when the file cannot be written, once until it can be written again
   */
  constructor(prefix: string, process: string, limits: SpoolLimits, onError: (error: unknown) => void) {
    this.#prefix = prefix;
    this.#process = process;
    this.#limits = limits;
    this.#onError = onError;
    // Left by an earlier thread of this process.
    this.#sealed = listSpoolFiles(prefix)
      .filter((file) => file.process === process)
      .map(({ path }) => readPart(path));
  }

  /** @returns how many rows did not fit */
  append(rows: readonly LedgerRow[]): number {
    const lines = rows.map((row) => JSON.stringify(row));
    let [count, bytes] = [this.#sum('rows'), this.#sum('bytes')];
    const beyond = lines.findIndex(
      (line) => (count += 1) > this.#limits.rows || (bytes += line.length) > this.#limits.bytes,
    );
    const fitting = beyond === -1 ? rows.length : beyond;
    if (fitting > 0) this.#appendFitting(lines.slice(0, fitting), rows.slice(0, fitting));
    return rows.length - fitting;
  }

  /** How many rows wait. */
  size(): number {
    return this.#sum('rows');
  }

  /** All rows that wait now. Batches that are not removed are returned again by the next call. */
  takeBatches(): readonly SpoolBatch[] {
    this.#sealed = this.#parts();
    if (this.#current?.descriptor !== undefined) closeSync(this.#current.descriptor);
    this.#current = undefined;
    return this.#sealed.map((part) => ({
      read: () => [...readSpoolFile(part.path), ...part.memory],
      remove: () => {
        this.#sealed = this.#sealed.filter((other) => other !== part);
        removeSpoolFile(part.path);
      },
    }));
  }

  #parts(): readonly Part[] {
    return this.#current === undefined ? this.#sealed : [...this.#sealed, this.#current];
  }

  #sum(member: 'rows' | 'bytes'): number {
    return this.#parts().reduce((sum, part) => sum + part[member], 0);
  }

  #appendFitting(lines: readonly string[], rows: readonly LedgerRow[]): void {
    const part = (this.#current ??= {
      path: createSpoolPath(this.#prefix, this.#process),
      memory: [],
      rows: 0,
      bytes: 0,
    });
    try {
      part.descriptor ??= openFile(part.path);
      appendText(part.descriptor, lines.map((line) => `${line}\n`).join(''));
      this.#hasFailed = false;
    } catch (error) {
      part.memory.push(...rows);
      if (!this.#hasFailed) this.#onError(error);
      this.#hasFailed = true;
    }
    part.rows += rows.length;
    for (const line of lines) part.bytes += line.length;
  }
}
