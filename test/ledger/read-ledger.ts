import { openDatabase, type Database } from '../../core/index.ts';
import { ledgerTables, type LedgerSchema } from '../../plugins/ledger/tables.ts';

/** Looks into the tables of a gateway, beside it. */
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
