import { GatewayError } from '../../../core/api/index.ts';
import { at, type LedgerRow } from '../row.ts';
import { sqliteCodeOf } from './sqlite-code.ts';

/**
 * What is gathered in 100 ms at 10,000 rows a second. Each sum and each page is written once for all rows of a
 * transaction, so that a row takes three quarters of the CPU time of one in a transaction of 500. The sums are locked
 * meanwhile: other processes wait for them.
 */
const ROWS_PER_TRANSACTION = 1_000;

/** SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH and SQLITE_RANGE. */
const dataErrorCodes: ReadonlySet<number> = new Set([18, 19, 20, 25]);

/** Whether the database rejected the data itself. Classes 22 and 23 of Postgres are data and constraint errors. */
const isDataError = (error: unknown): boolean => {
  const code = sqliteCodeOf(error);
  if (code !== undefined) return dataErrorCodes.has(code);
  const cause = GatewayError.is(error) ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && /^2[23]/.test(cause.code);
};

/** Keeps the latest row of each id: one statement cannot upsert a row twice. */
const unique = (rows: readonly LedgerRow[]): readonly LedgerRow[] => {
  const byId = new Map<string, LedgerRow>();
  for (const row of rows) if (byId.get(row[at.id])?.[at.state] !== 'settled') byId.set(row[at.id], row);
  return byId.size === rows.length ? rows : [...byId.values()];
};

/**
 * Writes rows in transactions of a moderate size. A row that the database rejects is found by bisection and handed to
 * `onRejected`, so that it does not block the others.
 * @param write one transaction
 * @returns a function that rejects when the database itself fails
 */
export function createSafeWrite(
  write: (rows: readonly LedgerRow[]) => Promise<void>,
  onRejected: (row: LedgerRow, error: unknown) => void,
) {
  const writePart = async (rows: readonly LedgerRow[]): Promise<void> => {
    try {
      await write(rows);
    } catch (error) {
      const [row, ...others] = rows;
      if (row === undefined || !isDataError(error)) throw error;
      if (others.length === 0) return onRejected(row, error);
      const middle = rows.length >> 1;
      await writePart(rows.slice(0, middle));
      await writePart(rows.slice(middle));
    }
  };
  return async (rows: readonly LedgerRow[]): Promise<void> => {
    const latest = unique(rows);
    for (let from = 0; from < latest.length; from += ROWS_PER_TRANSACTION)
      await writePart(latest.slice(from, from + ROWS_PER_TRANSACTION));
  };
}
