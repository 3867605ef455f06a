import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { whileBusy } from './sqlite-driver.ts';

/**
 * Copies a SQLite database to a new file of this user only: one consistent state, while other processes read and write.
 * Blocks this thread. A copy that fails is removed.
 * @throws Error of the file system, or of SQLite
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    // SQLite accepts an empty file, and would create one that others can read.
    closeSync(openSync(target, 'wx', 0o600));
    try {
      await whileBusy(async () => source.prepare('VACUUM INTO ?').run(target));
      checkCopy(target);
    } catch (error) {
      rmSync(target);
      throw error;
    }
  } finally {
    source.close();
  }
}

const checkCopy = (path: string): void => {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const { integrity_check: result } = copy.prepare('PRAGMA integrity_check').get() ?? {};
    if (result !== 'ok') throw new Error(`the copy is damaged: ${String(result)}`);
  } finally {
    copy.close();
  }
};
