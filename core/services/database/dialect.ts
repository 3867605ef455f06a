import { PostgresAdapter, type Kysely } from 'kysely';

/** How a database spells the columns of a table, for the SQL of migrations. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** 64 bits: counts, unix milliseconds, nano-dollars; 0 or 1 for no or yes. */
  readonly integer: string;
  /** 64 bits with a floating point. */
  readonly real: string;
  /** Compared and ordered by its bytes, whatever the language of the database is. */
  readonly text: string;
  readonly bytes: string;
  /** Stands behind the columns: a table takes no value of another type than its column's. */
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
const postgres: Dialect = {
  name: 'postgres',
  integer: 'BIGINT',
  real: 'DOUBLE PRECISION',
  text: 'TEXT COLLATE "C"',
  bytes: 'BYTEA',
  strict: '',
};

/** Which of the two a database is. */
export const dialectOf = <Schema>(database: Kysely<Schema>): Dialect =>
  database.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
