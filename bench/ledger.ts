import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectOf, openDatabase, sql } from '../core/api/database.ts';
import { startOf, type Step } from '../plugins/ledger/periods.ts';
import { readLatencies, readUsage, type UsageQuery } from '../plugins/ledger/read/usage.ts';
import { readSpent } from '../plugins/ledger/read/spent.ts';
import { ledgerTables } from '../plugins/ledger/migrations.ts';
import { counterNames, dimensionNames, type LedgerSchema } from '../plugins/ledger/tables.ts';
import { createInsert, type Value } from '../plugins/ledger/thread/insert.ts';
import { describeLatency } from './measure/statistics.ts';

// `npm run bench:ledger`: the time of usage queries over a year of ten million exchanges. BENCH_DATABASE is a URL, by
// default of a new SQLite file. Only the sums of the exchanges are generated, because these queries read nothing else.
// Each exchange belongs to a random dimension and hour.
const EXCHANGES = Number(process.env['BENCH_EXCHANGES'] ?? 10_000_000);
const HOUR = 3_600_000;
const [FROM, TO] = [Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1)];
const HOURS = (TO - FROM) / HOUR;
const [KEYS, MODELS_OF_A_KEY, MODELS] = [60, 4, 12];
const TIMES = 9;

const folder = join(tmpdir(), `koine-bench-ledger-${process.pid}`);
mkdirSync(folder);
const database = await openDatabase<LedgerSchema>(
  process.env['BENCH_DATABASE'] ?? `sqlite:${join(folder, 'ledger.db')}`,
  ledgerTables(600_000),
);
const dialect = dialectOf(database);
const insertDimensions = createInsert(dialect, 'ledger_dimensions', ['id', ...dimensionNames], '');
const insertUsage = createInsert(dialect, 'ledger_usage', ['step', 'start', 'dimension', ...counterNames], '');
const insertLatencies = createInsert(
  dialect,
  'ledger_latencies',
  ['step', 'start', 'dimension', 'kind', 'bucket', 'count'],
  '',
);

const dimensions = Array.from({ length: KEYS * MODELS_OF_A_KEY }, (_, index): readonly Value[] => {
  const key = Math.floor(index / MODELS_OF_A_KEY);
  const model = (key * 5 + (index % MODELS_OF_A_KEY) * 3) % MODELS;
  return [
    index + 1,
    `org-${key % 3}`,
    `project-${key % 12}`,
    `key-${key}`,
    '/v1/chat/completions',
    'chat-completions',
    'generate',
    `vendor/model-${model}`,
    'vendor',
    `vendor/upstream-${model}`,
  ];
});

/** Exchanges of an hour and a dimension: a Poisson variable, by the normal one that is near it. */
const draw = (mean: number): number =>
  Math.max(
    0,
    Math.round(mean + Math.sqrt(mean) * (Math.random() + Math.random() + Math.random() + Math.random() - 2) * 1.73),
  );
const countersOf = (exchanges: number): readonly number[] =>
  counterNames.map((name) =>
    name === 'exchanges' || name === 'ok' ? exchanges : /tokens|cost|ms/.test(name) ? exchanges * 1_000 : 0,
  );
/** A time of an exchange, as its bucket: some seconds, with a long tail. */
const drawBucket = (): number => 44 + Math.round((Math.random() + Math.random() + Math.random() - 1.5) * 12);

class Sums {
  readonly usage = new Map<string, { readonly key: readonly Value[]; count: number }>();
  readonly latencies = new Map<string, { readonly key: readonly Value[]; count: number }>();
  add(step: Step, start: number, dimension: number, exchanges: number, buckets: readonly number[]): void {
    const bump = (
      map: Map<string, { readonly key: readonly Value[]; count: number }>,
      key: readonly Value[],
      by: number,
    ): void => {
      const known = map.get(key.join());
      if (known === undefined) map.set(key.join(), { key, count: by });
      else known.count += by;
    };
    bump(this.usage, [step, start, dimension], exchanges);
    for (const bucket of buckets) bump(this.latencies, [step, start, dimension, 'total', bucket], 1);
  }
  async write(): Promise<readonly [number, number]> {
    await database.transaction().execute(async (transaction) => {
      await insertUsage(
        transaction,
        [...this.usage.values()].map(({ key, count }) => [...key, ...countersOf(count)]),
      );
      await insertLatencies(
        transaction,
        [...this.latencies.values()].map(({ key, count }) => [...key, count]),
      );
    });
    return [this.usage.size, this.latencies.size];
  }
}

const fill = async (): Promise<void> => {
  await insertDimensions(database, dimensions);
  const mean = EXCHANGES / HOURS / dimensions.length;
  const months = new Sums();
  let [days, hours] = [new Sums(), new Sums()];
  let [usage, latencies, total] = [0, 0, 0];
  const flush = async (sums: Sums): Promise<void> => {
    const [one, other] = await sums.write();
    usage += one;
    latencies += other;
  };
  for (let hour = FROM; hour < TO; hour += HOUR) {
    for (let dimension = 1; dimension <= dimensions.length; dimension += 1) {
      const exchanges = draw(mean);
      if (exchanges === 0) continue;
      total += exchanges;
      const buckets = Array.from({ length: exchanges }, drawBucket);
      hours.add('hour', hour, dimension, exchanges, buckets);
      days.add('day', startOf('day', hour), dimension, exchanges, buckets);
      months.add('month', startOf('month', hour), dimension, exchanges, buckets);
    }
    if (startOf('day', hour + HOUR) === startOf('day', hour)) continue;
    await flush(hours);
    await flush(days);
    [hours, days] = [new Sums(), new Sums()];
  }
  await flush(months);
  await sql`ANALYZE`.execute(database);
  console.log(
    `${dialect.name}: ${total} exchanges of ${dimensions.length} dimensions in ${usage} sums ` +
      `and ${latencies} latency counts`,
  );
};

const measure = async (name: string, ask: () => Promise<{ readonly length: number }>): Promise<void> => {
  const samples: number[] = [];
  let lines = 0;
  for (let time = -1; time < TIMES; time += 1) {
    const startedAt = performance.now();
    lines = (await ask()).length;
    if (time >= 0) samples.push(performance.now() - startedAt);
  }
  const { p50, p99 } = describeLatency(samples);
  console.log(
    `${name.padEnd(52)}${p50.toFixed(1).padStart(8)} ms${p99.toFixed(1).padStart(8)} ms at most` +
      `${String(lines).padStart(7)} lines`,
  );
};

await fill();
/** As the usage API asks: without figures that are 0 everywhere. */
const counters = counterNames.filter((_name, index) => countersOf(1)[index] !== 0);
const year: UsageQuery = { from: FROM, to: TO, by: [], where: {}, counters };
await measure('the year by model', () => readUsage(database, { ...year, by: ['model'] }));
await measure('the year by key and model', () => readUsage(database, { ...year, by: ['key', 'model'] }));
await measure('the year by month and project', () => readUsage(database, { ...year, step: 'month', by: ['project'] }));
await measure('the year by day', () => readUsage(database, { ...year, step: 'day' }));
await measure('the year by day and model', () => readUsage(database, { ...year, step: 'day', by: ['model'] }));
await measure('the year of one key by day', () =>
  readUsage(database, { ...year, step: 'day', where: { key: ['key-7'] } }),
);
await measure('the year, from an odd hour to another', () =>
  readUsage(database, { ...year, from: FROM + 31 * HOUR, to: TO - 37 * HOUR, by: ['model'] }),
);
await measure('a week by hour', () => readUsage(database, { ...year, from: TO - 168 * HOUR, step: 'hour' }));
await measure('percentiles of the year by model', () =>
  readLatencies(database, { ...year, by: ['model'] }, [0.5, 0.95, 0.99]),
);
await measure('percentiles of a week by day', () =>
  readLatencies(database, { ...year, from: TO - 168 * HOUR, step: 'day' }, [0.5, 0.95, 0.99]),
);
await measure('spent by an organization since the year began', async () => [
  await readSpent(database, { path: ['org-1'], models: [], since: FROM }),
]);
await database.destroy();
rmSync(folder, { recursive: true });
