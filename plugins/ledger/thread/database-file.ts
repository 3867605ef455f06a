import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { sqliteCodeOf } from './sqlite-code.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const brokenCodes: ReadonlySet<number | undefined> = new Set([11, 26]);
/** The first four bytes of a write-ahead log: https://www.sqlite.org/fileformat2.html#walformat */
const walMagics: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683]);

const describe = (file: string, problem: string): string =>
  `The file ${file} ${problem}. Stop the gateway, restore the file from a backup, or move it away together with its ` +
  '-wal and -shm files to begin with an empty one, and start the gateway again. The waiting rows are written then.';

const readMagic = (log: string): number | undefined => {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  const descriptor = openSync(log, 'r');
  const start = Buffer.alloc(4);
  readSync(descriptor, start);
  closeSync(descriptor);
  return start.readUInt32BE();
};

/** Detects that the file of an open SQLite database was replaced, removed or overwritten. */
export interface DatabaseFile {
  /**
   * SQLite continues for a long time with its cache and with an unlinked file, and it reads a write-ahead log without
   * checking it. The database file itself must not be opened here: closing it would release the locks of this process.
   * @throws when the file was removed or replaced, or its write-ahead log was overwritten
   */
  check(): void;
  /** Runs an action; when it fails because the file is broken, the error names the file and what to do. */
  explain<T>(action: () => Promise<T>): Promise<T>;
}

/** @param file undefined for a database that is not a file */
export function watchDatabaseFile(file: string | undefined): DatabaseFile {
  if (file === undefined) return { check: () => {}, explain: (action) => action() };
  const inode = statSync(file).ino;
  return {
    check: () => {
      if (statSync(file, { throwIfNoEntry: false })?.ino !== inode)
        throw new Error(describe(file, 'was removed or replaced while the gateway had it open'));
      const magic = readMagic(`${file}-wal`);
      if (magic !== undefined && !walMagics.has(magic))
        throw new Error(describe(file, 'is broken: its -wal file was overwritten'));
    },
    explain: async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!brokenCodes.has(sqliteCodeOf(error))) throw error;
        const message = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
        throw new Error(describe(file, `is broken (${message})`), { cause: error });
      }
    },
  };
}
