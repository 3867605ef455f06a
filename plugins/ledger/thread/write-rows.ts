import { dialectOf } from '../../../core/api/database.ts';
import { compactSketch } from '../histogram.ts';
import { at, rowColumns, type LedgerRow } from '../row.ts';
import { counterNames, dimensionNames, sketchNames, type LedgerTable } from '../tables.ts';
import { createInsert, type LedgerDatabase, type Value } from './insert.ts';
import { Rollup, dimensionsOf } from './rollup.ts';

/** Longest JSON of charges that is stored, in characters. Longer ones are only counted in the sums. */
const MAX_CHARGES_LENGTH = 8_192;
/** Dimensions that are remembered as inserted. Beyond that they are inserted again, which has no effect. */
const MAX_KNOWN_DIMENSIONS = 10_000;

/** Columns that the open row sets and settling leaves as they are. */
const openColumns: ReadonlySet<string> = new Set([
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
  'end_user',
  'stream',
  'trace_id',
]);
const settledColumns = rowColumns.filter((name) => !openColumns.has(name));

const valuesOf = (row: LedgerRow, process: string): readonly Value[] => {
  const values: Value[] = [...row, process];
  if ((row[at.charges]?.length ?? 0) > MAX_CHARGES_LENGTH) values[at.charges] = null;
  return values;
};

/** RETURNING of the upsert: one for each row that was inserted or settled by the statement. */
type WrittenRow = Pick<
  LedgerTable,
  'id' | 'abandoned_at' | 'estimated_target' | 'estimated_input_tokens' | 'estimated_cost'
>;

const setAll = (names: readonly string[]): string => names.map((name) => `${name} = excluded.${name}`).join(', ');
const addAll = (table: string, names: readonly string[]): string =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

/**
 * Writes rows in one transaction. A settled row never changes again, so it is counted once however often it is written.
 */
export type WriteRows = (process: string, rows: readonly LedgerRow[]) => Promise<void>;
/** Adds a rollup to the sums, as part of a transaction. @param known ids of dimensions that are in the table already */
export type AddRollup = (transaction: LedgerDatabase, rollup: Rollup, known?: ReadonlySet<number>) => Promise<void>;

const NONE: ReadonlySet<number> = new Set();

/** Characters of both sketches of a sum. Longer ones are written again, with one part for each bucket. */
const MAX_SKETCHES = 1_200;
const usageKeys = ['step', 'start', 'dimension'] as const;
const usageColumns = [...usageKeys, ...counterNames, ...sketchNames];
const noCounts = counterNames.map(() => 0);

/** Adds counters to those of the table, and appends sketches. */
export const addToUsage = [
  `ON CONFLICT (${usageKeys.join(', ')}) DO UPDATE SET ${addAll('ledger_usage', counterNames)},`,
  sketchNames.map((name) => `${name} = ledger_usage.${name} || excluded.${name}`).join(', '),
].join(' ');
/** Returns the sums whose sketches have become long, and `null` for the others. */
const returningLong = [
  `RETURNING CASE WHEN length(total_times) + length(first_times) > ${MAX_SKETCHES}`,
  `THEN ${[...usageKeys, ...sketchNames].map((name) => `CAST(${name} AS TEXT)`).join(" || '|' || ")} END AS long`,
].join(' ');

/** The sketches of a sum, in the order of `sketchNames`. */
interface Sketches {
  readonly step: string;
  readonly start: number;
  readonly dimension: number;
  readonly sketches: readonly string[];
}
/** Sums that exist get other sketches. */
export function createSetSketches(database: LedgerDatabase) {
  const set = createInsert(
    dialectOf(database),
    'ledger_usage',
    usageColumns,
    `ON CONFLICT (${usageKeys.join(', ')}) DO UPDATE SET ${setAll(sketchNames)}`,
  );
  return (transaction: LedgerDatabase, sums: readonly Sketches[]): Promise<unknown> =>
    set(
      transaction,
      sums.map(({ step, start, dimension, sketches }) => [step, start, dimension, ...noCounts, ...sketches]),
    );
}

const compactLong = (long: string): Sketches => {
  const [step = '', start, dimension, ...sketches] = long.split('|');
  return { step, start: Number(start), dimension: Number(dimension), sketches: sketches.map(compactSketch) };
};

export function createAddRollup(database: LedgerDatabase): AddRollup {
  const dialect = dialectOf(database);
  const ids = ['id', ...dimensionNames];
  const insertDimensions = createInsert(dialect, 'ledger_dimensions', ids, 'ON CONFLICT (id) DO NOTHING');
  const insertGroups = createInsert(dialect, 'ledger_groups', ids, 'ON CONFLICT (id) DO NOTHING');
  const addUsage = createInsert(dialect, 'ledger_usage', usageColumns, `${addToUsage} ${returningLong}`);
  const setSketches = createSetSketches(database);
  return async (transaction, rollup, known = NONE) => {
    await insertDimensions(transaction, rollup.dimensions(known));
    await insertGroups(transaction, rollup.groups(known));
    const sums = await addUsage<{ readonly long: string | null }>(transaction, rollup.usage());
    await setSketches(
      transaction,
      sums.flatMap(({ long }) => (long === null ? [] : [compactLong(long)])),
    );
  };
}

export function createWriteRows(database: LedgerDatabase, addRollup: AddRollup): WriteRows {
  const upsert = createInsert(
    dialectOf(database),
    'ledger',
    [...rowColumns, 'process'],
    `ON CONFLICT (id) DO UPDATE SET ${setAll(settledColumns)}
    WHERE ledger.state <> 'settled' AND excluded.state = 'settled'
    RETURNING id, abandoned_at, estimated_target, estimated_input_tokens, estimated_cost`,
  );
  const known = new Set<number>();
  return async (process, rows) => {
    const rollup = new Rollup();
    await database.transaction().execute(async (transaction) => {
      const written = await upsert<WrittenRow>(
        transaction,
        rows.map((row) => valuesOf(row, process)),
      );
      countWritten(rollup, rows, written);
      await addRollup(transaction, rollup, known);
    });
    if (known.size > MAX_KNOWN_DIMENSIONS) known.clear();
    for (const id of rollup.dimensionIds) known.add(id);
  };
}

/** Counts the rows that the statement settled, and takes back what was counted for those that had been abandoned. */
const countWritten = (rollup: Rollup, rows: readonly LedgerRow[], written: readonly WrittenRow[]): void => {
  const ended = new Map(rows.flatMap((row) => (row[at.state] === 'pending' ? [] : [[row[at.id], row] as const])));
  for (const { id, abandoned_at, estimated_target, estimated_input_tokens, estimated_cost } of written) {
    const row = ended.get(id);
    if (row === undefined) continue;
    if (row[at.state] === 'refused') {
      rollup.addRefused(row);
      continue;
    }
    rollup.addSettled(row);
    if (abandoned_at === null) continue;
    const estimate = { target: estimated_target, input_tokens: estimated_input_tokens ?? 0, cost: estimated_cost };
    rollup.addAbandoned(dimensionsOf(row), abandoned_at, estimate, -1);
  }
};
