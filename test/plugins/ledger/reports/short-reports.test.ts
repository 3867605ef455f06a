import { expect } from 'chai';
import type { Outcome } from '../../../../core/api/index.ts';
import { bucketBounds, bucketOf } from '../../../../plugins/ledger/histogram.ts';
import { handleUsage } from '../../../../plugins/ledger/api/usage-endpoint.ts';
import type { UsageReport } from '../../../../plugins/ledger/api/report.ts';
import { queries, type QueryLedger } from '../../../../plugins/ledger/read/queries.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import type { UsageQuery } from '../../../../plugins/ledger/read/lines.ts';
import { readUsage } from '../../../../plugins/ledger/read/usage.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { settledRow } from '../../../../plugins/ledger/row.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, targetOf, usageOf } from '../setup.ts';

const MINUTE = 60_000;
const DAY = 24 * HOUR;
const RETENTION = 30 * DAY;
const start = NOW - (NOW % HOUR);
const results: readonly Outcome['result'][] = ['ok', 'ok', 'timeout', 'ok', 'client_error'];

/** One exchange in each minute of the hour before and of this one, of two keys and two targets. */
const fill = async (database: LedgerDatabase): Promise<void> => {
  const write = createWriteRows(database, createAddRollup(database));
  const rows = Array.from({ length: 120 }, (_, minute) => {
    const caller = { key: 'alice', project: minute % 2 === 0 ? 'web' : 'app', organization: 'acme', models: [] };
    const target = minute % 3 === 0 ? one : targetOf('other/two');
    const times = { total: 1 + minute ** 2, own: 1, ...(minute % 2 === 0 ? { firstContent: minute } : {}) };
    const result = results[minute % 5] ?? 'ok';
    const outcome = outcomeOf([chargeOf(target, usageOf(minute, 1))], { times, result });
    const ended = start - HOUR + minute * MINUTE + 30_000;
    return settledRow(exchangeOf({ caller }), outcome, ended - 10, ended);
  });
  await write('ours', rows);
};

describe('the buckets of latencies', () => {
  it('have bounds that put each duration into the bucket of bucketOf', () => {
    for (const ms of [...Array(5_000).keys(), 59_999, 60_000, 3_599_999, 4_000_000])
      expect(bucketBounds.find(({ bound }) => ms <= bound)?.bucket, String(ms)).to.equal(bucketOf(ms));
  });
});

onBoth('reports of short times', (database) => {
  beforeEach(() => fill(database()));
  const queryLedger: QueryLedger = (name, parameters) => (queries[name] as Function)(database(), parameters);
  const report = async (query: Readonly<Record<string, string>>, now = NOW): Promise<UsageReport> =>
    (await handleUsage(queryLedger, now, RETENTION, query)).body as UsageReport;

  it('read from rows are the same as from sums, with their latencies', async () => {
    for (const by of [[], ['key'], ['project', 'provider'], ['target']] as const) {
      const query: UsageQuery = { from: start - HOUR, to: start + HOUR, by, where: {}, quantiles: [0.5, 0.95] };
      const lines = await readUsage(database(), { ...query, rows: true });
      expect(lines).to.deep.equal(await readUsage(database(), query));
      expect(lines[0]?.percentiles?.total_times[0]).to.be.a('number');
    }
  });

  it('cover exactly the minutes that were requested', async () => {
    const { from, to, totals, lines } = await report({
      from: new Date(NOW - 15 * MINUTE).toISOString(),
      by: 'key',
      percentiles: 'true',
    });
    expect([from, to]).to.deep.equal([new Date(NOW - 15 * MINUTE).toISOString(), new Date(NOW).toISOString()]);
    expect([totals.exchanges, lines.length]).to.deep.equal([15, 2]);
    expect(totals.success).to.equal(9);
    expect(totals.latencyMs.p50).to.be.a('number');
  });

  it('have a line for each minute with bucket=minute', async () => {
    const { bucket, lines } = await report({ from: new Date(NOW - 15 * MINUTE).toISOString(), bucket: 'minute' });
    expect(bucket).to.equal('minute');
    expect(lines.map(({ start: at, exchanges, tokens }) => [at, exchanges, tokens.input])).to.deep.equal(
      Array.from({ length: 15 }, (_, index) => [new Date(NOW - (15 - index) * MINUTE).toISOString(), 1, 65 + index]),
    );
  });

  it('are widened to whole hours if the time is longer, or the rows are not kept any more', async () => {
    const longer = await report({ from: new Date(NOW - 90 * MINUTE).toISOString() });
    expect([longer.from, longer.to]).to.deep.equal([
      new Date(start - 2 * HOUR).toISOString(),
      new Date(start + HOUR).toISOString(),
    ]);
    const old = { from: new Date(NOW - 15 * MINUTE).toISOString(), to: new Date(NOW).toISOString() };
    const fromSums = await report(old, NOW + RETENTION);
    expect([fromSums.from, fromSums.totals.exchanges]).to.deep.equal([new Date(start).toISOString(), 60]);
  });

  it('are refused by minute if the time is long or long ago, with the reason', async () => {
    const refusals = [
      [{ from: new Date(NOW - 7 * HOUR).toISOString(), bucket: 'minute' }, NOW, /at most 6 hours/],
      [
        { from: new Date(NOW - HOUR).toISOString(), to: new Date(NOW).toISOString(), bucket: 'minute' },
        NOW + RETENTION,
        /not kept/,
      ],
      [{ compare: 'previous', format: 'csv' }, NOW, /CSV has one period/],
      [{ compare: 'next' }, NOW, /compare must be one of previous/],
    ] as const;
    for (const [query, now, message] of refusals) {
      const error: unknown = await report(query, now).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('status', 400);
      expect(error).to.have.property('message').that.matches(message);
    }
  });

  it('have the figures of the time before with compare=previous', async () => {
    const query = { from: new Date(NOW - 15 * MINUTE).toISOString(), by: 'key' };
    const { previous, ...own } = await report({ ...query, compare: 'previous' });
    expect(own).to.deep.equal(await report(query));
    const { from, to, totals, lines } = await report({
      from: new Date(NOW - 30 * MINUTE).toISOString(),
      to: query.from,
      by: 'key',
    });
    expect(previous).to.deep.equal({ from, to, totals, lines });
    expect(totals.tokens.input).to.equal(15 * 57);

    const hours = await report({ from: new Date(start).toISOString(), bucket: 'hour', compare: 'previous' });
    expect([hours.totals.exchanges, hours.previous?.totals.exchanges]).to.deep.equal([60, 60]);
    expect(hours.previous?.lines.map(({ start: at }) => at)).to.deep.equal([new Date(start - HOUR).toISOString()]);
    const months = await report({ from: '2026-10-01', to: '2026-12-01', bucket: 'month', compare: 'previous' });
    expect([months.previous?.from, months.previous?.to]).to.deep.equal([
      '2026-08-01T00:00:00.000Z',
      '2026-10-01T00:00:00.000Z',
    ]);
  });
});
