import { CompiledQuery, type Database, type Dialect } from '../../../core/index.ts';
import type { LedgerSchema } from '../tables.ts';

export type LedgerDatabase = Database<LedgerSchema>;
export type Value = string | number | bigint | null;

/**
 * Rows of one statement, at most. SQLite knows the texts that it has read: there it is so many, or half of it, or a quarter …, so that there are few.
 * Postgres reads each anew, and every statement is a way there and back.
 */
const ROWS = 64;

/** Inserts rows, each a list of values in the order of the columns. Resolves with what the statements return. */
export type Insert = <Returned = unknown>(
  database: LedgerDatabase,
  rows: readonly (readonly Value[])[],
) => Promise<readonly Returned[]>;

/**
 * Kysely would build a tree of a node per value, for each statement anew; the text of these depends on the number of rows alone.
 * @param tail what follows the values: ON CONFLICT and RETURNING
 */
export function createInsert({ name }: Dialect, table: string, columns: readonly string[], tail: string): Insert {
  const texts = new Map<number, string>();
  const write = (rows: number): string => {
    const mark = (index: number): string => (name === 'postgres' ? `$${index + 1}` : '?');
    const values = Array.from(
      { length: rows },
      (_row, row) => `(${columns.map((_column, column) => mark(row * columns.length + column)).join(', ')})`,
    );
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.join(', ')} ${tail}`;
  };
  const sizeOf = (rows: number): number => (name === 'postgres' ? rows : 2 ** Math.floor(Math.log2(rows)));
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
      const part = rows.slice(from, from + sizeOf(Math.min(ROWS, rows.length - from)));
      from += part.length;
      const result = await database.executeQuery<Returned>(CompiledQuery.raw(textOf(part.length), part.flat()));
      returned.push(...result.rows);
    }
    return returned;
  };
}
