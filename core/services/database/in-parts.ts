import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows of one statement. Databases limit the number of its values: SQLite 32,766, Postgres 65,535. */
const ROWS = 500;

/**
 * Calls an action with parts of a list that one statement can hold, one after the other. Other work has a turn of the
 * event loop between them: SQLite runs in this thread.
 * @example await inParts(rows, (part) => transaction.insertInto('keys').values(part).execute());
 */
export async function inParts<T>(rows: readonly T[], action: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) {
    if (start > 0) await nextTurn();
    await action(rows.slice(start, start + ROWS));
  }
}
