import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../../core/api/codec.ts';
import type { LedgerRow } from '../row.ts';
import { completeRow, readNamedRow } from './spooled-row.ts';

export interface SpoolFile {
  readonly path: string;
  /** Id of the process that wrote it. */
  readonly process: string;
}

/** The path of a new file: prefix, process id and a random suffix. */
export const createSpoolPath = (prefix: string, process: string): string =>
  `${prefix}.${process}.${randomUUID().slice(0, 8)}`;

/** The spool files of all processes. */
export function listSpoolFiles(prefix: string): readonly SpoolFile[] {
  const nameStart = `${basename(prefix)}.`;
  return unlessMissing(() => readdirSync(dirname(prefix)), [])
    .filter((name) => name.startsWith(nameStart))
    .map((name) => ({ path: join(dirname(prefix), name), process: name.slice(nameStart.length).split('.')[0] ?? '' }));
}

/** The rows of a file; none when it is missing. A process that was killed may have left an incomplete line. */
export const readSpoolFile = (path: string): readonly LedgerRow[] =>
  unlessMissing(() => readFileSync(path, 'utf8'), '')
    .split('\n')
    .flatMap(parseLine);

/** Bytes of the spool files of all other processes. */
export async function measureOtherFiles(prefix: string, process: string): Promise<number> {
  let bytes = 0;
  for (const file of listSpoolFiles(prefix)) {
    if (file.process === process) continue;
    bytes += await stat(file.path).then(
      ({ size }) => size,
      // Removed meanwhile.
      () => 0,
    );
  }
  return bytes;
}

export const removeSpoolFile = (path: string): void => rmSync(path, { force: true });

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
    return [isObject(row) ? readNamedRow(row) : completeRow(row as LedgerRow)];
  } catch {
    return [];
  }
};
