import { CompiledQuery, type Database, type Dialect } from '../../../core/api/database.ts';
import type { LedgerSchema } from '../tables.ts';

export type LedgerDatabase = Database<LedgerSchema>;
export type Value = string | number | bigint | null;
type Rows = readonly (readonly Value[])[];

/** Inserts rows, each a list of values in the order of the columns. Resolves with the RETURNING rows. */
export type Insert = <Returned = unknown>(database: LedgerDatabase, rows: Rows) => Promise<readonly Returned[]>;

/** How the rows of one statement are written. */
interface Statement {
  /** How many of the rows that are left the next statement has. */
  count(left: number): number;
  write(rows: Rows): CompiledQuery;
}

/**
 * Prepares an insert of many rows. Kysely would build a node for each value of each statement; here the text is built
 * once, or in SQLite once for each number of rows.
 * @param tail what follows the rows: ON CONFLICT and RETURNING
 */
export function createInsert({ name }: Dialect, table: string, columns: readonly string[], tail: string): Insert {
  const { count, write } = (name === 'postgres' ? insertJson : insertValues)(table, columns, tail);
  return async <Returned>(database: LedgerDatabase, rows: Rows): Promise<readonly Returned[]> => {
    const returned: Returned[] = [];
    for (let from = 0; from < rows.length;) {
      const batch = rows.slice(from, from + count(rows.length - from));
      from += batch.length;
      returned.push(...(await database.executeQuery<Returned>(write(batch))).rows);
    }
    return returned;
  };
}

/**
 * All rows are one parameter, as JSON. With a parameter for each value, parsing and planning the statement would be a
 * third of the server's time. A statement has a timeout, so the number of its rows is limited.
 */
const insertJson = (table: string, columns: readonly string[], tail: string): Statement => {
  const names = columns.join(', ');
  const text = `INSERT INTO ${table} (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1) ${tail}`;
  const describe = (row: readonly Value[]): object =>
    Object.fromEntries(columns.map((column, index) => [column, exactJson(row[index])]));
  return {
    count: (left) => Math.min(500, left),
    write: (rows) => CompiledQuery.raw(text, [JSON.stringify(rows.map(describe))]),
  };
};

/** Postgres reads an integer in quotes as well. */
const exactJson = (value: Value | undefined): Value | undefined => (typeof value === 'bigint' ? String(value) : value);

/** Statements of 64, 32, 16 … rows are few texts, so each one is prepared once. */
const insertValues = (table: string, columns: readonly string[], tail: string): Statement => {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const texts = Array.from({ length: 7 }, (_, power) => {
    const rows = Array.from({ length: 2 ** power }, () => row);
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.join(', ')} ${tail}`;
  });
  return {
    count: (left) => 2 ** Math.floor(Math.log2(Math.min(64, left))),
    write: (rows) => CompiledQuery.raw(texts[Math.log2(rows.length)] ?? '', rows.flat()),
  };
};
