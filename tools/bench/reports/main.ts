import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectOf, openDatabase, sql } from '../../../core/api/database.ts';
import { handleUsage } from '../../../plugins/ledger/api/usage-endpoint.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import { startOf } from '../../../plugins/ledger/periods.ts';
import { queries, type QueryLedger } from '../../../plugins/ledger/read/queries.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';
import { buildViews } from '../../../plugins/ledger/thread/views.ts';
import { startPostgres } from '../../../test/support/servers/postgres.ts';
import { DAYS, fillSums } from './fill.ts';
import { watchProcessorTime } from './processor-time.ts';

// `npm run bench:reports`: the time and size of usage reports over 95 days of 50 million requests by 60,000 pairs of a
// key and a model. BENCH_DATABASE is a URL, by default of an SQLite file that later runs use again. With --postgres,
// this command starts a Postgres server and removes it. It runs with a heap of 64 MB: a report that needs more ends it.
const REQUESTS = Number(process.env['BENCH_ROWS'] ?? 50_000_000);
const TIMES = 3;
const DAY = 86_400_000;

/** A server with the memory of a small one. Its data needs no syncs. */
const serverSettings = ['shared_buffers=1GB', 'work_mem=16MB', 'max_wal_size=4GB', 'effective_cache_size=4GB'];
const server = process.argv.includes('--postgres')
  ? await startPostgres(...serverSettings.flatMap((setting) => ['-c', setting]))
  : undefined;
/** A server does not keep this process. */
const running = setInterval(() => {}, 60_000);
const url =
  server?.url ?? process.env['BENCH_DATABASE'] ?? `sqlite:${join(tmpdir(), `koine-bench-reports-${REQUESTS}.db`)}`;
const end = startOf('day', Date.now());
const isNew = url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length));
const database = await openDatabase<LedgerSchema>(url, ledgerTables(3_600_000));
const { rows: some } = await sql`SELECT id FROM ledger_dimensions LIMIT 1`.execute(database);
if (isNew || some.length === 0) {
  const startedAt = performance.now();
  await fillSums(database, REQUESTS, end);
  console.log(`${dialectOf(database).name}: filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}
const startedAt = performance.now();
await buildViews(database, end, (_level, fields, text) => console.log(text, fields));
console.log(`views: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
const counted = sql<{ step: string; sums: number }>`SELECT step, count(*) AS sums FROM ledger_usage GROUP BY step`;
console.log((await counted.execute(database)).rows.map(({ step, sums }) => `${step}: ${sums} sums`).join(', '));

/** Up to now; of this day there is nothing yet. */
const days = (count: number) => ({
  from: new Date(end - count * DAY).toISOString(),
  to: new Date(end + DAY).toISOString(),
});
/** Parameters of `GET /admin/usage`. */
const reports: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'totals of 95 days': days(DAYS),
  'totals of 95 days, percentiles': { ...days(DAYS), percentiles: 'true' },
  'by model, 95 days': { ...days(DAYS), by: 'model' },
  'by model, 95 days, percentiles': { ...days(DAYS), by: 'model', percentiles: 'true' },
  'by model and day, 95 days': { ...days(DAYS), by: 'model', bucket: 'day' },
  'by model and hour, 7 days': { ...days(7), by: 'model', bucket: 'hour' },
  'by key, 95 days, first page': { ...days(DAYS), by: 'key' },
  'by key, 95 days, top 10 by cost': { ...days(DAYS), by: 'key', top: '10' },
  'by key, 95 days, top 10, percentiles': { ...days(DAYS), by: 'key', top: '10', percentiles: 'true' },
  'by key and day, 95 days, first page': { ...days(DAYS), by: 'key', bucket: 'day' },
  'by key and day, 95 days, top 10': { ...days(DAYS), by: 'key', bucket: 'day', top: '10' },
  'by project, 95 days': { ...days(DAYS), by: 'project' },
  'by key and model, 95 days, first page': { ...days(DAYS), by: 'key,model' },
  'by key and model, 95 days, top 10': { ...days(DAYS), by: 'key,model', top: '10' },
  'by key and model and day, first page': { ...days(DAYS), by: 'key,model', bucket: 'day' },
  'by model of one key, 95 days': { ...days(DAYS), by: 'model', key: 'org-7/project-7/key-7' },
  'by model of one organization, 95 days': { ...days(DAYS), by: 'model', organization: 'org-3' },
  'by key of one model, top 10, 95 days': { ...days(DAYS), by: 'key', model: 'vendor/model-3', top: '10' },
  'by key and model, top 10, 95 days until a week ago': {
    from: new Date(end - (DAYS + 7) * DAY).toISOString(),
    to: new Date(end - 7 * DAY).toISOString(),
    by: 'key,model',
    top: '10',
  },
  'by key, 95 days, csv page of 5000': { ...days(DAYS), by: 'key', format: 'csv', limit: '5000' },
};

const readProcessorTime = await watchProcessorTime(database);
const queryLedger: QueryLedger = (name, parameters) => (queries[name] as Function)(database, parameters);
for (const [name, query] of Object.entries(reports)) {
  const samples: number[] = [];
  const used: number[] = [];
  let size = 0;
  let answer = '';
  for (let time = 0; time < TIMES; time += 1) {
    const [since, usedBefore] = [performance.now(), readProcessorTime()];
    try {
      const { body } = await handleUsage(queryLedger, end, 400 * DAY, query);
      size = Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));
    } catch (error) {
      answer = `  ${String(error)}`;
    }
    samples.push(performance.now() - since);
    used.push(readProcessorTime() - usedBefore);
  }
  const [least = 0] = samples.toSorted((one, other) => one - other);
  const heap = Math.round(process.memoryUsage().heapUsed / 1e6);
  console.log(
    `${name.padEnd(44)}${least.toFixed(0).padStart(7)} ms${Math.max(...samples)
      .toFixed(0)
      .padStart(7)} ms at most${Math.min(...used)
      .toFixed(0)
      .padStart(
        7,
      )} ms of processor time${(size / 1_000).toFixed(0).padStart(7)} kB${String(heap).padStart(5)} MB${answer}`,
  );
}
await database.destroy();
await server?.stop();
clearInterval(running);
