import { mock } from 'node:test';
import { openDatabase } from '../../../../core/api/database.ts';
import { handleUsage } from '../../../../plugins/ledger/api/usage-endpoint.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { queries, type QueryLedger } from '../../../../plugins/ledger/read/queries.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import { buildViews } from '../../../../plugins/ledger/thread/views.ts';

// Builds the views and reads reports of a ledger with many keys, and prints the bytes of each. The clock stands still:
// on a slow machine a report would exceed its time limit.
const [, , url = '', now = '0'] = process.argv;
mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Number(now) });
const DAY = 86_400_000;
const end = Number(now) - (Number(now) % DAY) + DAY;
const database = await openDatabase<LedgerSchema>(url, ledgerTables(60_000));
const queryLedger: QueryLedger = (name, parameters) => (queries[name] as Function)(database, parameters);
await buildViews(database, end, () => {});
const time = { from: new Date(end - 5 * DAY).toISOString(), to: new Date(end).toISOString(), percentiles: 'true' };
for (const query of [
  { organization: 'acme', model: 'vendor/m' },
  { by: 'key,model', bucket: 'day' },
  { by: 'key,model' },
  { by: 'key', top: '100', bucket: 'day' },
  { by: 'key', bucket: 'day', limit: '5000', format: 'csv' },
]) {
  const { body } = await handleUsage(queryLedger, end, 400 * DAY, { ...time, ...query } as never);
  process.stdout.write(`${Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body))}\n`);
}
await database.destroy();
