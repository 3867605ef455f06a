import { openDatabase, type Database } from '../../core/api/database.ts';
import { ledgerTables } from '../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../plugins/ledger/tables.ts';

/** Reads the tables of a running gateway. */
export const readLedger = async <T>(
  url: string,
  action: (database: Database<LedgerSchema>) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase<LedgerSchema>(url, ledgerTables(10_000));
  try {
    return await action(database);
  } finally {
    await database.destroy();
  }
};
