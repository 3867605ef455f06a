import { GatewayError } from '../../../core/index.ts';
import { at, type LedgerRow } from '../row.ts';
import { sqliteCodeOf } from './sqlite-code.ts';

/** Rows of one transaction. */
const ROWS = 500;

/** Too big, constraint, mismatch, range. */
const sqliteCodes: ReadonlySet<number> = new Set([18, 19, 20, 25]);

/** Was it the data that the database would not take? Classes 22 and 23 of Postgres are data and constraints. */
const isRefusal = (error: unknown): boolean => {
  const code = sqliteCodeOf(error);
  if (code !== undefined) return sqliteCodes.has(code);
  const cause = GatewayError.is(error) ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && /^2[23]/.test(cause.code);
};

/** The last word on a row counts; no statement can write one twice. */
const unique = (rows: readonly LedgerRow[]): readonly LedgerRow[] => {
  const byId = new Map<string, LedgerRow>();
  for (const row of rows) if (byId.get(row[at.id])?.[at.state] !== 'settled') byId.set(row[at.id], row);
  return byId.size === rows.length ? rows : [...byId.values()];
};

/**
 * Writes rows in transactions of a moderate size. A row that the database will never take is found and set aside: it must not stop all the others.
 * @param write one transaction
 * @returns what throws where the database itself fails
 */
export function createSafeWrite(
  write: (rows: readonly LedgerRow[]) => Promise<void>,
  setAside: (row: LedgerRow, error: unknown) => void,
) {
  const writePart = async (rows: readonly LedgerRow[]): Promise<void> => {
    try {
      await write(rows);
    } catch (error) {
      const [row, ...others] = rows;
      if (row === undefined || !isRefusal(error)) throw error;
      if (others.length === 0) return setAside(row, error);
      const middle = rows.length >> 1;
      await writePart(rows.slice(0, middle));
      await writePart(rows.slice(middle));
    }
  };
  return async (rows: readonly LedgerRow[]): Promise<void> => {
    const whole = unique(rows);
    for (let from = 0; from < whole.length; from += ROWS) await writePart(whole.slice(from, from + ROWS));
  };
}
