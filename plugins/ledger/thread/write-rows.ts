import { dialectOf } from '../../../core/index.ts';
import type { LedgerRow } from '../row.ts';
import { counterNames, dimensionNames } from '../tables.ts';
import { createInsert, type LedgerDatabase, type Value } from './insert.ts';
import { createRollup, type Rollup } from './rollup.ts';

/** A provider's own usage is kept up to so many characters: more is nothing that it would report. */
const MOST_RAW = 8_192;

const opening = ['id', 'opened_at', 'organization', 'project', 'key', 'route', 'wire', 'operation', 'model', 'estimated_target', 'estimated_input_tokens', 'estimated_cost'] as const satisfies readonly (keyof LedgerRow)[];
const settling = [
  'state',
  'ended_at',
  'target',
  'attempts',
  'status',
  'outcome',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'usage_source',
  'cost',
  'price_version',
  'cache_saved',
  'cache_lost',
  'total_ms',
  'first_content_ms',
] as const satisfies readonly (keyof LedgerRow)[];
const json = ['raw_usage', 'charges'] as const satisfies readonly (keyof LedgerRow)[];

const writeJson = (value: unknown): string | null => {
  const text = value === undefined ? null : JSON.stringify(value);
  return text !== null && text.length > MOST_RAW ? null : text;
};
const plain = [...opening, ...settling];
const valuesOf = (row: LedgerRow, process: string): readonly Value[] => [...plain.map((name) => row[name] ?? null), ...json.map((name) => writeJson(row[name])), process];

/** What is returned of each row that was new, or is settled by this statement. */
interface Written {
  readonly id: string;
  readonly abandoned_at: number | null;
  readonly estimated_target: string | null;
  readonly estimated_input_tokens: number | null;
  readonly estimated_cost: number | bigint | null;
}

const set = (names: readonly string[]): string => names.map((name) => `${name} = excluded.${name}`).join(', ');
const add = (table: string, names: readonly string[]): string => names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

/** Writes rows as one transaction. A row that is settled already stays as it is, and is counted once, however often it comes. */
export type WriteRows = (process: string, rows: readonly LedgerRow[]) => Promise<void>;
/** Adds to the sums, as part of a transaction. */
export type CountRollup = (transaction: LedgerDatabase, rollup: Rollup) => Promise<void>;

export const createCountRollup = (database: LedgerDatabase): CountRollup => {
  const dialect = dialectOf(database);
  const insertDimensions = createInsert(dialect, 'ledger_dimensions', ['id', ...dimensionNames], 'ON CONFLICT (id) DO NOTHING');
  const addUsage = createInsert(dialect, 'ledger_usage', ['step', 'start', 'dimension', ...counterNames], `ON CONFLICT (step, start, dimension) DO UPDATE SET ${add('ledger_usage', counterNames)}`);
  const latencyColumns = ['step', 'start', 'dimension', 'kind', 'bucket', 'count'];
  const addLatencies = createInsert(dialect, 'ledger_latencies', latencyColumns, `ON CONFLICT (step, start, dimension, kind, bucket) DO UPDATE SET ${add('ledger_latencies', ['count'])}`);
  return async (transaction, rollup) => {
    await insertDimensions(transaction, rollup.dimensions());
    await addUsage(transaction, rollup.usage());
    await addLatencies(transaction, rollup.latencies());
  };
};

export const createWriteRows = (database: LedgerDatabase, countRollup: CountRollup): WriteRows => {
  const upsert = createInsert(
    dialectOf(database),
    'ledger',
    [...plain, ...json, 'process'],
    `ON CONFLICT (id) DO UPDATE SET ${set([...settling, ...json])} WHERE ledger.state <> 'settled' AND excluded.state = 'settled'
    RETURNING id, abandoned_at, estimated_target, estimated_input_tokens, estimated_cost`,
  );
  return (process, rows) =>
    database.transaction().execute(async (transaction) => {
      const written = await upsert<Written>(transaction, rows.map((row) => valuesOf(row, process)));
      const settled = new Map(rows.flatMap((row) => (row.state === 'settled' ? [[row.id, row] as const] : [])));
      const rollup = createRollup();
      for (const { id, abandoned_at, estimated_target, estimated_input_tokens, estimated_cost } of written) {
        const row = settled.get(id);
        if (row === undefined) continue;
        rollup.settled(row);
        const cost = estimated_cost === null ? null : BigInt(estimated_cost);
        if (abandoned_at !== null) rollup.abandoned(row, abandoned_at, { target: estimated_target, input_tokens: estimated_input_tokens ?? 0, cost }, -1);
      }
      await countRollup(transaction, rollup);
    });
};
