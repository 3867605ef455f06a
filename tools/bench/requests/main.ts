import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dialectOf, openDatabase, sql } from '../../../core/api/database.ts';
import { readRequestsRequest } from '../../../plugins/ledger/api/requests-request.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import { search } from '../../../plugins/ledger/read/search.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';
import { describeLatency } from '../measure/statistics.ts';
import { fillMonth } from './fill.ts';

// `npm run bench:requests`: the time of searches over a month of ten million rows, alone and while another process
// writes rows. BENCH_DATABASE is a URL, by default of an SQLite file that later runs use again.
const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const PER_SECOND = Number(process.env['BENCH_WRITES'] ?? 10_000);
const TIMES = 20;
const WRITER_STARTS_MS = 3_000;

const url = (process.env['BENCH_DATABASE'] ??= `sqlite:${join(tmpdir(), `koine-bench-requests-${ROWS}.db`)}`);

/** Parameters of `GET /admin/requests`. */
const searches: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the latest': {},
  'the latest of a day': { to: '2026-10-20' },
  'a large key': { key: 'key-5' },
  'a small key': { key: 'org-0/project-3/key-279' },
  'a project': { project: 'project-3' },
  'a model': { model: 'vendor/model-3' },
  'a provider with 1 % of the rows': { provider: 'backup' },
  'a user': { user: 'user-30' },
  'failures': { outcome: 'failure' },
  'timeouts of a small key': { key: 'key-279', outcome: 'timeout' },
  'status 504 of a week': { status: '504', from: '2026-10-10', to: '2026-10-17' },
  'a code with 1 of 100,000 rows': { code: 'upstream_tls', outcome: 'failure' },
  'slower than a minute': { minDurationMs: '60000' },
  'more than a dollar': { minCost: '1' },
  'a tag with 1 of 2,000 rows': { tag: 'team:team-7' },
  'a large key, slower than a minute': { key: 'key-5', minDurationMs: '60000' },
};

const isNew = url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length));
const database = await openDatabase<LedgerSchema>(url, ledgerTables(3_600_000));
const { rows: some } = await sql`SELECT id FROM ledger LIMIT 1`.execute(database);
if (isNew || some.length === 0) {
  const startedAt = performance.now();
  await fillMonth(database, ROWS);
  console.log(`${dialectOf(database).name}: ${ROWS} rows in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

const measure = async (): Promise<void> => {
  for (const [name, parameters] of Object.entries(searches)) {
    const samples: number[] = [];
    let [found, hasMore] = [0, false];
    for (let time = -1; time < TIMES; time += 1) {
      const startedAt = performance.now();
      const { rows, next } = await search(database, readRequestsRequest(parameters));
      if (time >= 0) samples.push(performance.now() - startedAt);
      [found, hasMore] = [rows.length, next !== undefined];
    }
    const { p50 } = describeLatency(samples);
    const times = `${p50.toFixed(1).padStart(8)} ms${Math.max(...samples)
      .toFixed(1)
      .padStart(8)} ms at most`;
    console.log(`${name.padEnd(36)}${times}${String(found).padStart(5)} rows${hasMore ? ', and more' : ''}`);
  }
};

console.log('\nnothing is written');
await measure();
const writer = fork(join(import.meta.dirname, 'writer.ts'), [String(PER_SECOND)]);
await delay(WRITER_STARTS_MS);
console.log(`\n${PER_SECOND} rows a second are written`);
await measure();
const report = once(writer, 'message');
writer.send('stop');
console.log('written:', ...(await report).slice(0, 1));
await database.destroy();
