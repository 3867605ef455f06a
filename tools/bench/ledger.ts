import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectOf, openDatabase, sql } from '../../core/api/database.ts';
import { startOf, type Step } from '../../plugins/ledger/periods.ts';
import type { UsageQuery } from '../../plugins/ledger/read/lines.ts';
import { readUsage } from '../../plugins/ledger/read/usage.ts';
import { readSpent } from '../../plugins/ledger/read/spent.ts';
import { ledgerTables } from '../../plugins/ledger/migrations.ts';
import { counterNames, dimensionNames, sketchNames, type LedgerSchema } from '../../plugins/ledger/tables.ts';
import { createInsert, type Value } from '../../plugins/ledger/thread/insert.ts';
import { writeSketch, type Sketch } from '../../plugins/ledger/histogram.ts';
import { buildViews } from '../../plugins/ledger/thread/views.ts';
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
const insertUsage = createInsert(
  dialect,
  'ledger_usage',
  ['step', 'start', 'dimension', ...counterNames, ...sketchNames],
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

interface Sum {
  readonly key: readonly Value[];
  count: number;
  readonly times: Sketch;
}

class Sums {
  readonly #sums = new Map<string, Sum>();

  add(step: Step, start: number, dimension: number, exchanges: number, buckets: readonly number[]): void {
    const key = [step, start, dimension];
    let sum = this.#sums.get(key.join());
    if (sum === undefined) this.#sums.set(key.join(), (sum = { key, count: 0, times: new Map() }));
    sum.count += exchanges;
    for (const bucket of buckets) sum.times.set(bucket, (sum.times.get(bucket) ?? 0) + 1);
  }

  /** Resolves with the number of sums. */
  async write(): Promise<number> {
    await database.transaction().execute((transaction) =>
      insertUsage(
        transaction,
        [...this.#sums.values()].map(({ key, count, times }) => [...key, ...countersOf(count), writeSketch(times), '']),
      ),
    );
    return this.#sums.size;
  }
}

const fill = async (): Promise<void> => {
  await insertDimensions(database, dimensions);
  const mean = EXCHANGES / HOURS / dimensions.length;
  const months = new Sums();
  let [days, hours] = [new Sums(), new Sums()];
  let [usage, total] = [0, 0];
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
    usage += (await hours.write()) + (await days.write());
    [hours, days] = [new Sums(), new Sums()];
  }
  usage += await months.write();
  await buildViews(database, TO, () => {});
  await sql`ANALYZE`.execute(database);
  console.log(`${dialect.name}: ${total} exchanges of ${dimensions.length} dimensions in ${usage} sums`);
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
const quantiles = [0.5, 0.95, 0.99];
await measure('the year by model, with percentiles', () => readUsage(database, { ...year, by: ['model'], quantiles }));
await measure('a week by day, with percentiles', () =>
  readUsage(database, { ...year, from: TO - 168 * HOUR, step: 'day', quantiles }),
);
await measure('spent by an organization since the year began', async () => [
  await readSpent(database, { path: ['org-1'], models: [], since: FROM }),
]);
await database.destroy();
rmSync(folder, { recursive: true });
