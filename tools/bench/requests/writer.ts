import { setTimeout as delay } from 'node:timers/promises';
import { newOrderedId } from '../../../core/lanes/new-id.ts';
import { createTestExchange, createTestOutcome } from '../../../core/testing/index.ts';
import { at, settledRow, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { openToWrite } from '../../../plugins/ledger/thread/open-ledger.ts';
import { createAddRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';

// A process that writes rows as the thread of the ledger does: BENCH_DATABASE, and as many rows a second as its
// argument says. On a message it stops and sends what it has done.
const FLUSH_MS = 100;
const MAX_ROWS_PER_MESSAGE = 2_000;
const perSecond = Number(process.argv[2]);

const database = await openToWrite(process.env['BENCH_DATABASE'] ?? '', 'batched');
const write = createWriteRows(database, createAddRollup(database));
const template = settledRow(createTestExchange(), createTestOutcome(), 0, 0).with(at.attempts, 1);
const upTo = (count: number): number => Math.floor(Math.random() * count);

/** The keys and models of `fill.ts`: 20 of 300 keys have nine tenths of the rows. */
const createRow = (): LedgerRow => {
  const [now, key, model, ms] = [Date.now(), upTo(upTo(10) === 0 ? 300 : 20), upTo(12), 100 + upTo(upTo(4_000))];
  const row: unknown = template
    .with(at.id, newOrderedId('req_', now))
    .with(at.opened_at, now - ms)
    .with(at.ended_at, now)
    .with(at.organization, `org-${key % 3}`)
    .with(at.project, `project-${key % 12}`)
    .with(at.key, `key-${key}`)
    .with(at.model, `vendor/model-${model}`)
    .with(at.target, `vendor/upstream-${model}`)
    .with(at.total_ms, ms)
    .with(at.first_content_ms, Math.round(ms / 3))
    .with(at.raw_usage, '{"prompt_tokens":1234,"completion_tokens":321,"total_tokens":1555}')
    .with(at.upstream_request_id, newOrderedId('chatcmpl-', now));
  return row as LedgerRow;
};

const stopping = new AbortController();
process.on('message', () => stopping.abort());
const [startedAt, startedCpu] = [performance.now(), process.cpuUsage()];
let [written, slowest] = [0, 0];
while (!stopping.signal.aborted) {
  const since = performance.now();
  const due = Math.floor(((since - startedAt) / 1_000) * perSecond) - written;
  const rows = Array.from({ length: Math.min(due, MAX_ROWS_PER_MESSAGE) }, createRow);
  const ready = performance.now();
  await write('bench', rows);
  slowest = Math.max(slowest, performance.now() - ready);
  written += rows.length;
  await delay(Math.max(0, since + FLUSH_MS - performance.now()));
}
const seconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(startedCpu);
await database.destroy();
process.send?.({
  perSecond: Math.round(written / seconds),
  slowestMs: Math.round(slowest),
  cpuMicrosecondsPerRow: Math.round((user + system) / written),
});
process.disconnect();
