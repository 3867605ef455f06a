import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LedgerRow } from '../row.ts';
import { fileNameOf, listFiles, readSpoolFile, removeFile } from './spool-files.ts';

export interface SpoolLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Rows that wait for the database. */
export interface SpooledPart {
  read(): readonly LedgerRow[];
  /** They stand in the database, and are forgotten here. */
  done(): void;
}

/** Where the rows of one process wait for the database: a file, one row a line, or memory where no file can be written. Bounded, whichever it is. */
export interface Spool {
  /** @returns how many there was no room for */
  append(rows: readonly LedgerRow[]): number;
  /** How many wait. */
  size(): number;
  /** All that wait, but for what is appended from now on. What is not done is among the next. */
  take(): readonly SpooledPart[];
}

interface Part {
  readonly file: string;
  descriptor?: number;
  /** What the file did not take. */
  readonly memory: LedgerRow[];
  rows: number;
  bytes: number;
}

/** All or nothing: what a full disk took half of is cut off again. A file that somebody has removed takes nothing. */
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

/** Readable by this user alone. */
const openFile = (file: string): number => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return openSync(file, 'a', 0o600);
};

const adopt = (file: string): Part => {
  const rows = readSpoolFile(file);
  return { file, memory: [], rows: rows.length, bytes: JSON.stringify(rows).length };
};

/**
 * @param path beginning of the names of the files
 * @param trouble told once per stretch in which the file cannot be written
 */
export function createSpool(
  path: string,
  process: string,
  limits: SpoolLimits,
  trouble: (error: unknown) => void,
): Spool {
  // A thread that had to be started anew has left its files.
  let sealed: readonly Part[] = listFiles(path)
    .filter((file) => file.process === process)
    .map(({ name }) => adopt(name));
  let current: Part | undefined;
  let isTroubled = false;
  const parts = (): readonly Part[] => (current === undefined ? sealed : [...sealed, current]);
  const sum = (figure: 'rows' | 'bytes'): number => parts().reduce((all, part) => all + part[figure], 0);

  const write = (part: Part, lines: readonly string[], rows: readonly LedgerRow[]): void => {
    try {
      part.descriptor ??= openFile(part.file);
      appendText(part.descriptor, lines.map((line) => `${line}\n`).join(''));
      isTroubled = false;
    } catch (error) {
      part.memory.push(...rows);
      if (!isTroubled) trouble(error);
      isTroubled = true;
    }
  };

  return {
    append: (rows) => {
      const lines = rows.map((row) => JSON.stringify(row));
      let [count, bytes] = [sum('rows'), sum('bytes')];
      const beyond = lines.findIndex((line) => (count += 1) > limits.rows || (bytes += line.length) > limits.bytes);
      const fitting = beyond === -1 ? rows.length : beyond;
      if (fitting > 0) {
        const part = (current ??= { file: fileNameOf(path, process), memory: [], rows: 0, bytes: 0 });
        write(part, lines.slice(0, fitting), rows.slice(0, fitting));
        part.rows += fitting;
        for (const line of lines.slice(0, fitting)) part.bytes += line.length;
      }
      return rows.length - fitting;
    },
    size: () => sum('rows'),
    take: () => {
      sealed = parts();
      if (current?.descriptor !== undefined) closeSync(current.descriptor);
      current = undefined;
      return sealed.map((part) => ({
        read: () => [...readSpoolFile(part.file), ...part.memory],
        done: () => {
          sealed = sealed.filter((other) => other !== part);
          removeFile(part.file);
        },
      }));
    },
  };
}
