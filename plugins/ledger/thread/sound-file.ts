import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { sqliteCodeOf } from './sqlite-code.ts';

/** Corrupt, and not a database. */
const brokenCodes: ReadonlySet<number | undefined> = new Set([11, 26]);
/** With which a write-ahead log begins: https://www.sqlite.org/fileformat2.html#walformat */
const walMagics: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683]);

const describe = (file: string, what: string): string =>
  `The file ${file} ${what}. Stop the gateway, put a sound copy in its place, or move it away with its -wal and -shm for an empty one, and start again: the rows that wait are written then.`;

const readMagic = (log: string): number | undefined => {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  const descriptor = openSync(log, 'r');
  const start = Buffer.alloc(4);
  readSync(descriptor, start);
  closeSync(descriptor);
  return start.readUInt32BE();
};

/** A file of SQLite, watched from its opening on. */
export interface SoundFile {
  /**
   * SQLite goes on for long with what it has in memory and with a file that has no name any more, and reads a write-ahead log without looking.
   * The file of the database itself must not be opened beside it: closing it would give up the locks of this process.
   * @throws where it was removed, or something else has come in its place
   */
  look(): void;
  /** What the action throws, with the name of the file and what to do where it is broken. */
  explain<T>(action: () => Promise<T>): Promise<T>;
}

/** @param file absent: a database that is no file */
export function watchSoundFile(file: string | undefined): SoundFile {
  if (file === undefined) return { look: () => {}, explain: (action) => action() };
  const opened = statSync(file).ino;
  return {
    look: () => {
      if (statSync(file, { throwIfNoEntry: false })?.ino !== opened)
        throw new Error(
          describe(file, 'is not the one that was opened: it was removed, or another has come in its place'),
        );
      const magic = readMagic(`${file}-wal`);
      if (magic !== undefined && !walMagics.has(magic))
        throw new Error(describe(file, 'is broken: something has written over its -wal'));
    },
    explain: async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!brokenCodes.has(sqliteCodeOf(error))) throw error;
        throw new Error(
          describe(file, `is broken (${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)})`),
          { cause: error },
        );
      }
    },
  };
}
