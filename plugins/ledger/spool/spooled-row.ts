import { rowColumns, writeRaw, type LedgerRow } from '../row.ts';
import { laterCounts } from '../tables.ts';

const moneyColumns: ReadonlySet<string> = new Set(['cost', 'estimated_cost', 'cache_saved', 'cache_lost']);
const countedLater: ReadonlySet<string> = new Set([...laterCounts, 'characters']);

/** What a row has in a column that was added after it was spooled. */
const absentIn = (name: string): 0 | null => (countedLater.has(name) ? 0 : null);

/** A row that an earlier version spooled as a list lacks the columns that were added since. */
export const completeRow = (row: readonly unknown[]): LedgerRow => {
  const values: unknown = rowColumns.map((name, index) => row[index] ?? absentIn(name));
  return values as LedgerRow;
};

/** Reads a row that an earlier version spooled: an object by column name, without nulls, with money as text. */
export function readNamedRow(named: Readonly<Record<string, unknown>>): LedgerRow {
  const read = (name: (typeof rowColumns)[number]): unknown => {
    const value = named[name] ?? absentIn(name);
    if (value === null || typeof value === 'number') return value;
    if (moneyColumns.has(name)) return Number(value);
    if (name === 'raw_usage') return writeRaw(value);
    return name === 'charges' ? JSON.stringify(value) : value;
  };
  const values: unknown = rowColumns.map(read);
  return values as LedgerRow;
}
