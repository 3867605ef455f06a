import { dialectOf } from '../../../core/index.ts';
import { at, rowColumns, type LedgerRow } from '../row.ts';
import { counterNames, dimensionNames } from '../tables.ts';
import { createInsert, type Insert, type LedgerDatabase, type Value } from './insert.ts';
import { describeSubject, Rollup } from './rollup.ts';

/** More than so many characters of charges are not kept: what they come to is in the sums. */
const MOST_CHARGES = 8_192;
/** Dimensions that are known to be in the database; more are inserted again, which changes nothing. */
const MOST_KNOWN = 10_000;

/** What the opening of an exchange says, and its end does not change. */
const opening: ReadonlySet<string> = new Set([
  'id',
  'opened_at',
  'organization',
  'project',
  'key',
  'route',
  'wire',
  'operation',
  'model',
  'estimated_target',
  'estimated_input_tokens',
  'estimated_cost',
]);
const settling = rowColumns.filter((name) => !opening.has(name));

const valuesOf = (row: LedgerRow, process: string): readonly Value[] => {
  const values: Value[] = [...row, process];
  if ((row[at.charges]?.length ?? 0) > MOST_CHARGES) values[at.charges] = null;
  return values;
};

/** What is returned of each row that was new, or is settled by this statement. */
interface Written {
  readonly id: string;
  readonly abandoned_at: number | null;
  readonly estimated_target: string | null;
  readonly estimated_input_tokens: number | null;
  readonly estimated_cost: number | bigint | null;
}

const set = (names: readonly string[]): string => names.map((name) => `${name} = excluded.${name}`).join(', ');
const add = (table: string, names: readonly string[]): string =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

/** Writes rows in one transaction. A row that is settled stays as it is: it counts once, however often it comes. */
export type WriteRows = (process: string, rows: readonly LedgerRow[]) => Promise<void>;
/** Adds to the sums, as part of a transaction. @param known ids of dimensions that need not be written */
export type CountRollup = (transaction: LedgerDatabase, rollup: Rollup, known?: ReadonlySet<number>) => Promise<void>;

const NONE: ReadonlySet<number> = new Set();

export function createCountRollup(database: LedgerDatabase): CountRollup {
  const dialect = dialectOf(database);
  const ids = ['id', ...dimensionNames];
  const insertDimensions = createInsert(dialect, 'ledger_dimensions', ids, 'ON CONFLICT (id) DO NOTHING');
  /** Inserts sums, or adds to those that are there. */
  const createAdd = (table: string, keys: readonly string[], counts: readonly string[]): Insert =>
    createInsert(
      dialect,
      table,
      [...keys, ...counts],
      `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${add(table, counts)}`,
    );
  const addUsage = createAdd('ledger_usage', ['step', 'start', 'dimension'], counterNames);
  const addLatencies = createAdd('ledger_latencies', ['step', 'start', 'dimension', 'kind', 'bucket'], ['count']);
  return async (transaction, rollup, known = NONE) => {
    await insertDimensions(transaction, rollup.dimensions(known));
    await addUsage(transaction, rollup.usage());
    await addLatencies(transaction, rollup.latencies());
  };
}

export function createWriteRows(database: LedgerDatabase, countRollup: CountRollup): WriteRows {
  const upsert = createInsert(
    dialectOf(database),
    'ledger',
    [...rowColumns, 'process'],
    `ON CONFLICT (id) DO UPDATE SET ${set(settling)} WHERE ledger.state <> 'settled' AND excluded.state = 'settled'
    RETURNING id, abandoned_at, estimated_target, estimated_input_tokens, estimated_cost`,
  );
  const known = new Set<number>();
  return async (process, rows) => {
    const rollup = new Rollup();
    await database.transaction().execute(async (transaction) => {
      const written = await upsert<Written>(
        transaction,
        rows.map((row) => valuesOf(row, process)),
      );
      const settled = new Map(rows.flatMap((row) => (row[at.state] === 'settled' ? [[row[at.id], row] as const] : [])));
      for (const { id, abandoned_at, estimated_target, estimated_input_tokens, estimated_cost } of written) {
        const row = settled.get(id);
        if (row === undefined) continue;
        rollup.settled(row);
        if (abandoned_at === null) continue;
        const estimate = { target: estimated_target, input_tokens: estimated_input_tokens ?? 0, cost: estimated_cost };
        rollup.abandoned(describeSubject(row), abandoned_at, estimate, -1);
      }
      await countRollup(transaction, rollup, known);
    });
    if (known.size > MOST_KNOWN) known.clear();
    for (const id of rollup.counted) known.add(id);
  };
}
