import { sql, type Kysely, type Transaction } from 'kysely';
import { dialectOf } from './dialect.ts';

/**
 * Runs a transaction under a lock: of all transactions with this name, in any process, one runs at a time, so that what
 * it reads still holds when it writes. SQLite allows a single writer anyway; Postgres takes an advisory lock of this
 * name.
 * @example await withAdvisoryLock(database, 'first key', (transaction) => insertUnlessPresent(transaction));
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
