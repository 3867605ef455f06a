import { CompiledQuery, type Database, type Dialect } from '../../../core/api/database.ts';
import type { LedgerSchema } from '../tables.ts';

export type LedgerDatabase = Database<LedgerSchema>;
export type Value = string | number | bigint | null;

/**
 * Maximum number of rows of a statement. SQLite caches prepared statements, so batches there have 64, 32, 16 … rows,
 * and few different texts. Postgres parses every statement, and each one is a round trip.
 */
const MAX_ROWS = 64;

/** Inserts rows, each a list of values in the order of the columns. Resolves with the RETURNING rows. */
export type Insert = <Returned = unknown>(
  database: LedgerDatabase,
  rows: readonly (readonly Value[])[],
) => Promise<readonly Returned[]>;

/**
 * Prepares an insert of many rows. Kysely would build a node for each value of each statement; here the text only
 * depends on the number of rows and is built once.
 * @param tail what follows the values: ON CONFLICT and RETURNING
 */
export function createInsert({ name }: Dialect, table: string, columns: readonly string[], tail: string): Insert {
  const isPostgres = name === 'postgres';
  const texts = new Map<number, string>();
  const write = (rows: number): string => {
    const placeholder = (index: number): string => (isPostgres ? `$${index + 1}` : '?');
    const values = Array.from(
      { length: rows },
      (_row, row) => `(${columns.map((_column, column) => placeholder(row * columns.length + column)).join(', ')})`,
    );
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.join(', ')} ${tail}`;
  };
  const textOf = (rows: number): string => {
    const text = texts.get(rows) ?? write(rows);
    texts.set(rows, text);
    return text;
  };
  return async <Returned>(
    database: LedgerDatabase,
    rows: readonly (readonly Value[])[],
  ): Promise<readonly Returned[]> => {
    const returned: Returned[] = [];
    for (let from = 0; from < rows.length;) {
      const left = Math.min(MAX_ROWS, rows.length - from);
      const batch = rows.slice(from, from + (isPostgres ? left : 2 ** Math.floor(Math.log2(left))));
      from += batch.length;
      const result = await database.executeQuery<Returned>(CompiledQuery.raw(textOf(batch.length), batch.flat()));
      returned.push(...result.rows);
    }
    return returned;
  };
}
