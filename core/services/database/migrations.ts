import { sql, type Kysely } from 'kysely';
import { GatewayError } from '../../errors/gateway-error.ts';
import { dialectOf, type Dialect } from './dialect.ts';
import { withAdvisoryLock } from './advisory-lock.ts';

/** One step of the tables' history. Never changed once released: a new step is appended. */
export interface Migration {
  readonly name: string;
  /** The statements of the step, as this database spells them. */
  sql(dialect: Dialect): readonly string[];
}

/** Whose tables these are. Owners share a database and know nothing of each other's steps. */
export interface DatabaseOwner {
  /** The folder of the plugin, say; stands before the names of its steps, without a slash. Empty: the core. */
  readonly name: string;
  /** In the order in which they run. */
  readonly migrations: readonly Migration[];
  /** How long one statement may take on Postgres, in milliseconds; on SQLite, how long it waits for other writers, five seconds at most. */
  readonly patienceMs?: number;
}

/**
 * Runs the steps that this database has not seen, in order, all or none. A lock is taken first, so of several processes that start
 * at once one does the work and the others find it done.
 * @throws GatewayError where the tables were written by a newer version: we could damage them
 */
export const applyMigrations = <Schema>(
  database: Kysely<Schema>,
  { name: owner, migrations }: DatabaseOwner,
): Promise<void> =>
  withAdvisoryLock(database, 'migrations', async (transaction) => {
    const dialect = dialectOf(database);
    const run = (statement: string) => sql.raw(statement).execute(transaction);
    await run(
      `CREATE TABLE IF NOT EXISTS koine_migrations (name ${dialect.text} PRIMARY KEY, applied_at ${dialect.integer} NOT NULL) ${dialect.strict}`,
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
    `The ${owner === '' ? 'database was' : `tables of ${owner} were`} written by a newer version of the gateway (migrations unknown here: ${unknown.join(', ')}). Start that version, or name another database in store.database.`,
  );
};
