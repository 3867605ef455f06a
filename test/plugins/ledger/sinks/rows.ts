import { sinkColumnNames, sinkColumns, type SinkRow } from '../../../../plugins/ledger/sinks/columns.ts';
import { settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { chargeOf, exchangeOf, NOW, one, outcomeOf, usageOf } from '../setup.ts';

/** An id as requests get it. @param at unix milliseconds @param more up to 20 hexadecimal digits */
export const idOf = (more: string, at = NOW): string =>
  `req_${at.toString(16).padStart(12, '0')}${more.padStart(20, '0')}`;

/** A row with a value in each column: text that has to be escaped, the largest money, and a time. */
export const fullRow = (id: string, more: Partial<SinkRow> = {}): SinkRow => ({
  ...(Object.fromEntries(
    sinkColumnNames.map((name) => {
      const values = { text: `"${name}"\n\tÄ😀`, integer: 7, time: NOW };
      return [name, values[sinkColumns[name].type]];
    }),
  ) as SinkRow),
  id,
  state: 'settled',
  opened_at: NOW,
  cost: 10 ** 15,
  version: 2,
  ...more,
});

/** A row with null in each column that can be null. */
export const bareRow = (id: string, more: Partial<SinkRow> = {}): SinkRow => ({
  ...fullRow(id),
  ...(Object.fromEntries(
    sinkColumnNames.flatMap((name) => (sinkColumns[name].nullable ? [[name, null]] : [])),
  ) as Partial<SinkRow>),
  state: 'abandoned',
  version: 1,
  ...more,
});

/** A settled row of the ledger. */
export const rowOf = (id: string, at = NOW): LedgerRow =>
  settledRow(exchangeOf({ id }), outcomeOf([chargeOf(one, usageOf(10, 5))]), at, at + 50);
