import { sql, type Kysely, type Transaction } from 'kysely';
import { dialectOf } from './dialect.ts';

/**
 * Runs a transaction that waits its turn: of all that bear this name, in any process, one runs at a time, so that what it reads is still
 * true when it writes. SQLite lets only one transaction write anyway; Postgres needs the name.
 */
export const withAdvisoryLock = <Schema, T>(
  database: Kysely<Schema>,
  name: string,
  action: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  database.transaction().execute(async (transaction) => {
    if (dialectOf(database).name === 'postgres')
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`koine ${name}`}, 0))`.execute(transaction);
    return action(transaction);
  });
