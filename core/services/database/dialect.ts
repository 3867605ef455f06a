import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';

/** The column types of a database, for the SQL of migrations. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** 64 bits: counts, Unix milliseconds, nano-dollars, and 0 or 1 for booleans. */
  readonly integer: string;
  /** 64-bit floating point. */
  readonly real: string;
  /** Compared and sorted by bytes, whatever the locale of the database. */
  readonly text: string;
  readonly bytes: string;
  /** Follows the column list: the table rejects values of another type than their column's. */
  readonly strict: string;
}

const sqlite: Dialect = {
  name: 'sqlite',
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  bytes: 'BLOB',
  strict: 'STRICT',
};
export const postgresDialect: Dialect = {
  name: 'postgres',
  integer: 'BIGINT',
  real: 'DOUBLE PRECISION',
  text: 'TEXT COLLATE "C"',
  bytes: 'BYTEA',
  strict: '',
};

/** The column types of the database that is open. */
export const dialectOf = <Schema>(database: Kysely<Schema>): Dialect =>
  database.getExecutor().adapter instanceof PostgresAdapter ? postgresDialect : sqlite;

/** Unix milliseconds by the clock of the database, since the clocks of hosts differ. */
export const nowOf = <Schema>(database: Kysely<Schema>): RawBuilder<number> =>
  dialectOf(database).name === 'postgres'
    ? sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`
    : sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
