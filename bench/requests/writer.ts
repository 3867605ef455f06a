import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, dialectOf, sql } from '../../core/api/database.ts';
import { newOrderedId } from '../../core/lanes/new-id.ts';
import { createTestExchange, createTestOutcome } from '../../core/testing/index.ts';
import { ledgerTables } from '../../plugins/ledger/migrations.ts';
import { at, settledRow, type LedgerRow } from '../../plugins/ledger/row.ts';
import type { LedgerSchema } from '../../plugins/ledger/tables.ts';
import { createAddRollup, createWriteRows } from '../../plugins/ledger/thread/write-rows.ts';

// A process that writes rows as the thread of the ledger does: BENCH_DATABASE, and as many rows a second as its
// argument says, in transactions of 500. On a message it stops and sends what it has done.
const ROWS_PER_TRANSACTION = 500;
const perSecond = Number(process.argv[2]);

const database = await openDatabase<LedgerSchema>(process.env['BENCH_DATABASE'] ?? '', ledgerTables(60_000));
if (dialectOf(database).name === 'sqlite') await sql`PRAGMA synchronous = NORMAL`.execute(database);
const write = createWriteRows(database, createAddRollup(database));
const template = settledRow(createTestExchange(), createTestOutcome(), 0, 0)
  .with(at.target, 'vendor/upstream-1')
  .with(at.attempts, 1);
const rowsOf = (first: number): readonly LedgerRow[] =>
  Array.from({ length: ROWS_PER_TRANSACTION }, (_, index) => {
    const now = Date.now();
    const row: unknown = template
      .with(at.id, newOrderedId('req_', now))
      .with(at.opened_at, now - 800)
      .with(at.ended_at, now)
      .with(at.key, `key-${(first + index) % 60}`)
      .with(at.upstream_request_id, newOrderedId('chatcmpl-', now));
    return row as LedgerRow;
  });

const stopping = new AbortController();
process.on('message', () => stopping.abort());
const startedAt = performance.now();
let [written, slowest] = [0, 0];
while (!stopping.signal.aborted) {
  const since = performance.now();
  await write('bench', rowsOf(written));
  slowest = Math.max(slowest, performance.now() - since);
  written += ROWS_PER_TRANSACTION;
  await delay(Math.max(0, startedAt + (written / perSecond) * 1_000 - performance.now()));
}
const seconds = (performance.now() - startedAt) / 1_000;
await database.destroy();
process.send?.({ perSecond: Math.round(written / seconds), slowestMs: Math.round(slowest) });
process.disconnect();
