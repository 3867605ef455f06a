import { dialectOf, nowOf, sql } from '../../../core/api/database.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { withTable } from '../thread/partitions.ts';
import { createTriggers, dropTriggers, hasTriggers } from './triggers.ts';

/** A sink that no gateway has in its configuration is forgotten after this time, together with its rows. */
const FORGET_MS = 7 * 86_400_000;

/** Runs a transaction that begins when those that write rows have ended, and holds up further ones. */
const withoutWriters = (
  database: LedgerDatabase,
  action: (transaction: LedgerDatabase) => Promise<unknown>,
): Promise<unknown> => {
  // One that writes excludes the others anyway.
  if (dialectOf(database).name === 'sqlite') return database.transaction().execute(action);
  return withTable(database, async (transaction) => {
    await sql`LOCK TABLE ledger IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
    await action(transaction);
  });
};

const isKnown = async (database: LedgerDatabase, name: string): Promise<boolean> =>
  (await database.selectFrom('ledger_sinks').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;

/**
 * Makes a sink known to the database. From then on, each row that ends is noted for it.
 * @param withHistory whether a new sink gets the rows that have ended before
 */
export async function registerSink(database: LedgerDatabase, name: string, withHistory: boolean): Promise<void> {
  if (!(await isKnown(database, name)) || !(await hasTriggers(database)))
    await withoutWriters(database, async (transaction) => {
      await createTriggers(transaction);
      const last = await transaction
        .selectFrom('ledger')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst();
      await transaction
        .insertInto('ledger_sinks')
        .values({
          name,
          process: '',
          seen_at: nowOf(transaction),
          history_from: withHistory ? '' : null,
          history_to: last?.id ?? '',
        })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    });
  await markSeen(database, [name]);
}

/** Notes that the sinks are in the configuration of a gateway. */
export const markSeen = async (database: LedgerDatabase, names: readonly string[]): Promise<unknown> =>
  database
    .updateTable('ledger_sinks')
    .set({ seen_at: nowOf(database) })
    .where('name', 'in', names)
    .execute();

/**
 * Forgets sinks that no gateway has had in its configuration for a week. Their entries are deleted later.
 * @returns their names
 */
export async function forgetSinks(database: LedgerDatabase): Promise<readonly string[]> {
  const forgotten = await database
    .deleteFrom('ledger_sinks')
    .where('seen_at', '<', sql<number>`${nowOf(database)} - ${sql.lit(FORGET_MS)}`)
    .returning('name')
    .execute();
  if (forgotten.length > 0)
    await withoutWriters(database, async (transaction) => {
      const left = await transaction.selectFrom('ledger_sinks').select('name').executeTakeFirst();
      if (left === undefined) await dropTriggers(transaction);
    });
  return forgotten.map(({ name }) => name);
}
