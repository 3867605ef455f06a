import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { requirePostgres, startPostgres, type PostgresServer } from './postgres.ts';

/** A database of either kind, for tests that run on both. */
export interface TestDatabases {
  readonly kind: 'sqlite' | 'postgres';
  /** The URL of a new, empty database. */
  fresh(): Promise<string>;
  /** Runs SQL with its own client, not through the gateway. @returns the values of all rows, as strings */
  ask(url: string, ...statements: readonly string[]): Promise<readonly string[]>;
}

const folder = createTemporaryFolder();
let server: Promise<PostgresServer> | undefined;
let count = 0;

/** One server for all tests of a run, since a new one takes seconds. */
export const sharedPostgres = (): Promise<PostgresServer> => (server ??= startPostgres());
after(async () => {
  await (await server)?.stop();
  server = undefined;
  folder.remove();
});

const sqlite: TestDatabases = {
  kind: 'sqlite',
  fresh: async () => `sqlite:${join(folder.path, `${(count += 1)}.db`)}`,
  ask: async (url, ...statements) => {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 20_000 });
    try {
      return statements
        .flatMap((statement) => database.prepare(statement).all())
        .flatMap((row) => Object.values(row).map(String));
    } finally {
      database.close();
    }
  },
};

const askPostgres: TestDatabases['ask'] = async (connectionString, ...statements) => {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const values: unknown[] = [];
    for (const text of statements)
      values.push(...(await client.query<unknown[]>({ text, rowMode: 'array' })).rows.flat());
    return values.map(String);
  } finally {
    await client.end();
  }
};

/** The URL of a new database in the shared Postgres. */
export const freshPostgres = async (): Promise<string> => {
  const { url } = await sharedPostgres();
  const name = `test_${(count += 1)}`;
  await askPostgres(url, `CREATE DATABASE ${name}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
};

/** Schemas of one database: separate databases would take longer. */
const postgres: TestDatabases = {
  kind: 'postgres',
  fresh: async () => {
    const { url } = await sharedPostgres();
    const name = `test_${(count += 1)}`;
    await askPostgres(url, `CREATE SCHEMA ${name}`);
    return `${url}?options=-csearch_path%3D${name}`;
  },
  ask: askPostgres,
};

/** Runs the same tests for both databases. */
export const describeOnBoth = (title: string, define: (databases: TestDatabases) => void): void => {
  describe(`${title} (SQLite)`, () => define(sqlite));
  describe(`${title} (Postgres)`, function suite() {
    before(async function start() {
      requirePostgres(this);
      await sharedPostgres();
    });
    define(postgres);
  });
};
