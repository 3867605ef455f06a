import { sql, type Kysely } from 'kysely';
import { GatewayError } from '../../errors/gateway-error.ts';
import { dialectOf, type Dialect } from './dialect.ts';
import { withAdvisoryLock } from './advisory-lock.ts';

/** One migration. Never changed once released: a new one is appended. */
export interface Migration {
  readonly name: string;
  /** The statements, for this database. */
  sql(dialect: Dialect): readonly string[];
}

/** The owner of a set of tables. Owners share a database; their migrations are independent of each other. */
export interface DatabaseOwner {
  /** For example the folder of the plugin: a prefix of its migrations' names, without a slash. Empty: the core. */
  readonly name: string;
  /** In execution order. */
  readonly migrations: readonly Migration[];
  /** Timeout of one statement, in milliseconds. On SQLite: how long it waits for other writers, at most 5 s. */
  readonly timeoutMs?: number;
}

/**
 * Runs the migrations that this database does not have yet, in order, all or none. A lock is taken first: if several
 * processes start at once, one runs them, and the others find them done.
 * @throws GatewayError if the tables were written by a newer version, which this one could damage
 */
export const applyMigrations = <Schema>(
  database: Kysely<Schema>,
  { name: owner, migrations }: DatabaseOwner,
): Promise<void> =>
  withAdvisoryLock(database, 'migrations', async (transaction) => {
    const dialect = dialectOf(database);
    const run = (statement: string) => sql.raw(statement).execute(transaction);
    await run(
      `CREATE TABLE IF NOT EXISTS koine_migrations ` +
        `(name ${dialect.text} PRIMARY KEY, applied_at ${dialect.integer} NOT NULL) ${dialect.strict}`,
    );
    const { rows } = await sql<{ name: string }>`SELECT name FROM koine_migrations`.execute(transaction);
    const applied = new Set(rows.map((row) => row.name));
    const prefix = owner === '' ? '' : `${owner}/`;
    const names = migrations.map((migration) => `${prefix}${migration.name}`);
    checkKnown(
      owner,
      [...applied].filter((step) => step.slice(0, step.lastIndexOf('/') + 1) === prefix && !names.includes(step)),
    );
    for (const [index, migration] of migrations.entries()) {
      const step = names[index] ?? '';
      if (applied.has(step)) continue;
      for (const statement of migration.sql(dialect)) await run(statement);
      await sql`INSERT INTO koine_migrations (name, applied_at) VALUES (${step}, ${Date.now()})`.execute(transaction);
    }
  });

const checkKnown = (owner: string, unknown: readonly string[]): void => {
  if (unknown.length === 0) return;
  throw new GatewayError(
    'KOINE_STORE_FAILED',
    `The ${owner === '' ? 'database was' : `tables of ${owner} were`} written by a newer version of the gateway ` +
      `(migrations unknown here: ${unknown.join(', ')}). ` +
      'Start that version, or name another database in store.database.',
  );
};
