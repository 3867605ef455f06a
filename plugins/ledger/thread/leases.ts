import { nowOf, sql } from '../../../core/api/database.ts';
import type { LedgerTable } from '../tables.ts';
import type { LedgerDatabase } from './insert.ts';
import { Rollup } from './rollup.ts';
import type { AddRollup } from './write-rows.ts';

/** Creates or extends the lease of a live process. */
export async function renewLease(database: LedgerDatabase, id: string, leaseMs: number): Promise<void> {
  const now = nowOf(database);
  await database
    .insertInto('ledger_processes')
    .values({ id, renewed_at: now, expires_at: sql<number>`${now} + CAST(${leaseMs} AS BIGINT)`, writes_views: 1 })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({ renewed_at: ref('excluded.renewed_at'), expires_at: ref('excluded.expires_at') })),
    )
    .execute();
}

/** Deletes the lease of a process that ends, so that its open rows count as abandoned at once. */
export const endLease = async (database: LedgerDatabase, id: string): Promise<void> =>
  void (await database.deleteFrom('ledger_processes').where('id', '=', id).execute());

const selectLive = (database: LedgerDatabase) =>
  database.selectFrom('ledger_processes').select('id').where('expires_at', '>', nowOf(database));

export async function listLiveProcesses(database: LedgerDatabase): Promise<ReadonlySet<string>> {
  const rows = await selectLive(database).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Whether a gateway of a version without views writes to this ledger. */
export async function hasEarlierWriters(database: LedgerDatabase): Promise<boolean> {
  return (await selectLive(database).where('writes_views', '=', 0).executeTakeFirst()) !== undefined;
}

/**
 * Marks the open rows of processes without a lease as abandoned and counts the estimate that they were opened with. It
 * is one statement, so that each row is counted by one of the processes that run it at the same time.
 * @returns the number of rows
 */
export const markAbandoned = (database: LedgerDatabase, addRollup: AddRollup): Promise<number> =>
  database.transaction().execute(async (transaction) => {
    const now = nowOf(database);
    // Opening the row proves that the process was alive, as a renewal does.
    const lastSeen = sql`COALESCE((SELECT renewed_at FROM ledger_processes
      WHERE id = ledger.process AND renewed_at > ledger.opened_at), opened_at)`;
    const { rows } = await sql<LedgerTable>`
      UPDATE ledger SET
        state = 'abandoned',
        outcome = 'abandoned',
        ended_at = ${lastSeen},
        abandoned_at = ${lastSeen},
        input_tokens = COALESCE(estimated_input_tokens, 0),
        usage_source = 'estimated',
        cost = estimated_cost
      WHERE state = 'pending'
        AND NOT EXISTS (SELECT 1 FROM ledger_processes WHERE id = ledger.process AND expires_at > ${now})
      RETURNING *`.execute(transaction);
    const rollup = new Rollup();
    for (const row of rows) {
      rollup.addAbandoned(
        row,
        row.abandoned_at ?? row.opened_at,
        { target: row.estimated_target, input_tokens: row.input_tokens, cost: row.estimated_cost },
        1,
      );
    }
    await addRollup(transaction, rollup);
    await transaction.deleteFrom('ledger_processes').where('expires_at', '<=', now).execute();
    return rows.length;
  });
