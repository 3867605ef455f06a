import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file of a SQLite database and its side files. */
const filesOf = (path: string): readonly string[] => [path, `${path}-wal`, `${path}-shm`];

/** Whether other users can read or write the file. */
const isExposed = (file: string): boolean => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/**
 * Creates the file and its folder if missing, accessible to this user only. SQLite gives its side files the same mode.
 * An existing file is not opened: closing it would release the locks that this process holds on it
 * (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
const createFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

/**
 * Removes access of other users to the database, as far as this user is permitted to. Files of earlier versions were
 * readable.
 */
export function makePrivate(path: string): void {
  createFile(path);
  for (const file of filesOf(path).filter(isExposed)) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // A file of another user, or a file system without modes: `findExposedFiles` reports it.
    }
  }
}

/** The database files that other users can read. @param url as in `store.database` */
export const findExposedFiles = (url: string): readonly string[] =>
  url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? filesOf(url.slice('sqlite:'.length)).filter(isExposed) : [];
