import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file of a SQLite database and those that SQLite keeps beside it. */
const filesOf = (path: string): readonly string[] => [path, `${path}-wal`, `${path}-shm`];

/** Can other users read or write it? */
const isExposed = (file: string): boolean => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/**
 * Makes the file and its folder where there is none, for this user alone. SQLite gives its other files the mode of this one. One that is there is
 * not opened: closing it would give up the locks that this process has on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
const createFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

/** Makes sure that no other user can read the database, as far as this user may. Files of earlier versions were readable. */
export function makePrivate(path: string): void {
  createFile(path);
  for (const file of filesOf(path).filter(isExposed)) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // Another user's file, or a file system without modes: findExposedFiles names it.
    }
  }
}

/** Files of the database that other users can read. @param url as of `store.database` */
export const findExposedFiles = (url: string): readonly string[] =>
  url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? filesOf(url.slice('sqlite:'.length)).filter(isExposed) : [];
