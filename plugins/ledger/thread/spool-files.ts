import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../../core/index.ts';
import { readNamedRow, type LedgerRow } from '../row.ts';

export interface SpoolFile {
  readonly name: string;
  /** Whose it is. */
  readonly process: string;
}

/** A new file of a process: the common beginning, the process, and a word of its own. */
export const fileNameOf = (path: string, process: string): string => `${path}.${process}.${randomUUID().slice(0, 8)}`;

/** Those that are there, of whatever process. */
export function listFiles(path: string): readonly SpoolFile[] {
  const beginning = `${basename(path)}.`;
  return list(dirname(path))
    .filter((name) => name.startsWith(beginning))
    .map((name) => ({ name: join(dirname(path), name), process: name.slice(beginning.length).split('.')[0] ?? '' }));
}

/** Its rows; none where there is no such file. A process that was killed while it wrote may have left half a line. */
export const readSpoolFile = (file: string): readonly LedgerRow[] => read(file).split('\n').flatMap(parseLine);

export const removeFile = (file: string): void => rmSync(file, { force: true });

const list = (folder: string): readonly string[] => unlessMissing(() => readdirSync(folder), []);
const read = (file: string): string => unlessMissing(() => readFileSync(file, 'utf8'), '');

const unlessMissing = <T>(action: () => T, otherwise: T): T => {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return otherwise;
    throw error;
  }
};

const parseLine = (line: string): readonly LedgerRow[] => {
  try {
    if (line === '') return [];
    const row: unknown = JSON.parse(line);
    return [isObject(row) ? readNamedRow(row) : (row as LedgerRow)];
  } catch {
    return [];
  }
};
