import { expect } from 'chai';
import { sql } from '../../../../core/api/database.ts';
import type { Outcome } from '../../../../core/api/index.ts';
import { bucketOf } from '../../../../plugins/ledger/histogram.ts';
import { startOf } from '../../../../plugins/ledger/periods.ts';
import { hasViews, sumsOf } from '../../../../plugins/ledger/read/sums.ts';
import type { UsageLine, UsageQuery } from '../../../../plugins/ledger/read/lines.ts';
import { readUsage } from '../../../../plugins/ledger/read/usage.ts';
import { settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { counterNames, viewNames } from '../../../../plugins/ledger/tables.ts';
import { renewLease } from '../../../../plugins/ledger/thread/leases.ts';
import { buildViews } from '../../../../plugins/ledger/thread/views.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, outcomeOf, targetOf, usageOf } from '../setup.ts';

const QUANTILES = [0.5, 0.95];
const results: readonly Outcome['result'][] = ['ok', 'ok', 'timeout', 'ok', 'client_error'];

/** Exchanges of seven keys, three models and two targets, over three days. */
const someRows = (count: number, of = 0): readonly LedgerRow[] =>
  Array.from({ length: count }, (_, index) => {
    const key = `key-${(index * 5) % 7}`;
    const caller = { key, project: `project-${index % 2}`, organization: 'acme', models: [] };
    const target = targetOf(index % 3 === 0 ? 'one/a' : 'two/b');
    const times = { total: 20 + ((index * 37) % 3_000), firstContent: 5 + ((index * 11) % 500), own: 1 };
    const outcome = outcomeOf([chargeOf(target, usageOf(index % 90, 5))], {
      times,
      result: results[index % 5] ?? 'ok',
    });
    const ended = NOW - ((index * 7 + of) % 72) * HOUR;
    return settledRow(exchangeOf({ caller, model: `vendor/model-${index % 3}` }), outcome, ended - 10, ended);
  });

const write = (database: LedgerDatabase, rows: readonly LedgerRow[]): Promise<void> =>
  createWriteRows(database, createAddRollup(database))('ours', rows);
const build = (database: LedgerDatabase): Promise<void> => buildViews(database, NOW, () => {});

const queries: readonly Pick<UsageQuery, 'by' | 'where' | 'step'>[] = [
  { by: [], where: {} },
  { by: ['model'], where: {} },
  { by: ['model', 'provider'], where: { target: ['two/b'] }, step: 'day' },
  { by: ['key'], where: {} },
  { by: ['key'], where: { project: ['acme/project-1'] }, step: 'hour' },
  { by: ['project'], where: { organization: ['acme'] }, step: 'month' },
  { by: ['key', 'model'], where: {} },
];
const readAll = (database: LedgerDatabase): Promise<readonly (readonly UsageLine[])[]> =>
  Promise.all(
    queries.map((query) =>
      readUsage(database, { ...query, from: NOW - 80 * HOUR, to: NOW + HOUR, quantiles: QUANTILES }),
    ),
  );

/** Rewrites all sums as a version before views and sketches wrote them. */
const makeEarlier = async (database: LedgerDatabase, rows: readonly LedgerRow[]): Promise<void> => {
  for (const view of viewNames) await sql`DELETE FROM ledger_usage WHERE step LIKE ${`${view}/%`}`.execute(database);
  await sql`DELETE FROM ledger_groups`.execute(database);
  const parts = await sql<{ step: string; start: number; dimension: number; total_times: string; first_times: string }>`
    SELECT step, start, dimension, total_times, first_times FROM ledger_usage`.execute(database);
  for (const { step, start, dimension, ...sketches } of parts.rows)
    for (const [kind, text] of [
      ['total', sketches.total_times],
      ['first_content', sketches.first_times],
    ] as const)
      for (const part of text.split(' ').filter((each) => each !== '')) {
        const [bucket, count = 1] = part.split(':').map(Number);
        await sql`INSERT INTO ledger_latencies (step, start, dimension, kind, bucket, count)
          VALUES (${step}, ${start}, ${dimension}, ${kind}, ${bucket}, ${count})
          ON CONFLICT (step, start, dimension, kind, bucket) DO UPDATE
            SET count = ledger_latencies.count + excluded.count`.execute(database);
      }
  await sql`UPDATE ledger_usage SET total_times = '', first_times = ''`.execute(database);
  expect(rows.length).to.be.greaterThan(0);
};

onBoth('sums of views', (database) => {
  it('a sum is one row whatever the durations, and its sketches stay short', async () => {
    for (let transaction = 0; transaction < 40; transaction += 1) {
      const rows = Array.from({ length: 30 }, (_, index) => {
        const times = { total: 2 + (transaction * 30 + index) ** 2, firstContent: 1 + index ** 3, own: 1 };
        return settledRow(exchangeOf(), outcomeOf([], { times }), NOW - 1, NOW);
      });
      await write(database(), rows);
    }
    const sums = await database().selectFrom('ledger_usage').selectAll().orderBy('step').execute();
    expect(sums.map(({ step }) => step)).to.deep.equal([
      'day',
      'hour',
      'key/day',
      'key/hour',
      'key/month',
      'model/day',
      'model/hour',
      'model/month',
      'month',
    ]);
    for (const { total_times, first_times } of sums)
      expect(total_times.length + first_times.length).to.be.at.most(1_400);
    expect(await database().selectFrom('ledger_latencies').selectAll().execute()).to.deep.equal([]);
    const [line] = await readUsage(database(), { from: NOW, to: NOW + HOUR, by: [], where: {}, quantiles: [0.5] });
    const [half = 0] = line?.percentiles?.total_times ?? [];
    expect(bucketOf(half)).to.be.within(bucketOf(2 + 600 ** 2) - 1, bucketOf(2 + 600 ** 2) + 1);
  });

  it('reports of views are those of all sums, also when rows are written afterwards', async () => {
    await write(database(), someRows(200));
    const before = await readAll(database());
    expect(await hasViews(database())).to.equal(false);
    await build(database());
    expect(await hasViews(database())).to.equal(true);
    expect(await readAll(database())).to.deep.equal(before);
    await write(database(), someRows(100, 3));
    const after = await readAll(database());
    await sql`DELETE FROM ledger_state`.execute(database());
    expect(after).to.deep.equal(await readAll(database()));
    expect(after).to.not.deep.equal(before);
  });

  it('sums of an earlier version are reported at once, and carried over without a change', async () => {
    const rows = someRows(150);
    await write(database(), rows);
    const expected = await readAll(database());
    await makeEarlier(database(), rows);
    expect(await readAll(database())).to.deep.equal(expected);
    await write(database(), someRows(60, 5));
    const later = await readAll(database());
    await build(database());
    expect(await hasViews(database())).to.equal(true);
    expect(await readAll(database())).to.deep.equal(later);
    expect(await database().selectFrom('ledger_latencies').selectAll().execute()).to.deep.equal([]);
    const groups = await database().selectFrom('ledger_groups').selectAll().execute();
    expect(groups.filter(({ key }) => key !== '')).to.have.length(14);
  });

  it('a period with more sums than one statement reads is built in parts', async () => {
    await sql`INSERT INTO ledger_dimensions
        (id, organization, project, key, route, wire, operation, model, provider, target)
      WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 50010)
      SELECT i, 'acme', 'web', 'k' || (i % 7), '/', 'w', 'generate', 'vendor/m' || (i / 7), 'vendor', 'vendor/m'
      FROM numbers`.execute(database());
    const counts = counterNames.map(() => 'id % 5 + 1').join(', ');
    const start = startOf('hour', NOW);
    for (const hour of [start - HOUR, start])
      await sql
        .raw(
          `INSERT INTO ledger_usage (step, start, dimension, ${counterNames.join(', ')}, total_times, first_times)
          SELECT 'hour', ${hour}, id, ${counts}, '2' || id % 10 || ':1 ', '' FROM ledger_dimensions
          WHERE id > 40000 OR ${hour} = ${start}`,
        )
        .execute(database());
    const query = { from: NOW - HOUR, to: NOW, by: ['key'], where: {}, step: 'hour', quantiles: QUANTILES } as const;
    const before = await readUsage(database(), query);
    await build(database());
    expect(await hasViews(database())).to.equal(true);
    expect(await readUsage(database(), query)).to.deep.equal(before);
    expect(before.map(({ counters }) => counters.exchanges > 4_000n)).to.deep.equal(Array(14).fill(true));
    const groups = await database().selectFrom('ledger_usage').select('step').where('step', '=', 'key/hour').execute();
    expect(groups).to.have.length(14);
  }).timeout(60_000);

  it('views are not read while a gateway of an earlier version writes', async () => {
    await write(database(), someRows(30));
    await build(database());
    await renewLease(database(), 'earlier', 60_000);
    await database().updateTable('ledger_processes').set({ writes_views: 0 }).execute();
    await build(database());
    expect(await hasViews(database())).to.equal(false);
    // It adds to the sums it knows only.
    const exchanges = async () => {
      const [line] = await readUsage(database(), { from: NOW - 80 * HOUR, to: NOW + HOUR, by: [], where: {} });
      return Number(line?.counters.exchanges);
    };
    await sql`UPDATE ledger_usage SET exchanges = exchanges + 1
      WHERE step IN ('hour', 'day', 'month')`.execute(database());
    const counted = await exchanges();
    expect(counted).to.be.greaterThan(30);
    await build(database());
    expect(await hasViews(database())).to.equal(false);
    await database().deleteFrom('ledger_processes').execute();
    await build(database());
    expect([await hasViews(database()), await exchanges()]).to.deep.equal([true, counted]);
  });

  it('a report by model reads as many sums as there are models and periods, however many keys there are', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => {
      const caller = { key: `key-${index}`, project: 'web', organization: 'acme', models: [] };
      return settledRow(exchangeOf({ caller }), outcomeOf([]), NOW - 1, NOW);
    });
    await write(database(), rows);
    const start = startOf('day', NOW);
    const count = async (step: 'day' | 'model/day'): Promise<number> =>
      (
        await database()
          .selectFrom('ledger_usage')
          .select(counterNames[0])
          .where('step', '=', step)
          .where('start', '=', start)
          .execute()
      ).length;
    expect([await count('day'), await count('model/day')]).to.deep.equal([300, 1]);
  });

  it('a report up to now ends with a whole month, and one with steps begins with one period', async () => {
    const now = Date.now();
    const stepsOf = async (to: number): Promise<readonly string[]> =>
      (await sumsOf(database(), { by: [], where: {} }, [startOf('month', now - 70 * 24 * HOUR), to])).chunks.map(
        ({ step }) => step,
      );
    expect(new Set(await stepsOf(now + HOUR))).to.deep.equal(new Set(['month']));
    const earlier = startOf('month', now) - 24 * HOUR;
    expect(new Set(await stepsOf(earlier))).to.deep.equal(new Set(['month', 'day']));
    const { chunks } = await sumsOf(database(), { by: [], where: {}, step: 'day' }, [
      startOf('day', now) - 20 * 24 * HOUR,
      startOf('day', now),
    ]);
    expect(chunks.map(({ starts }) => starts.length)).to.deep.equal([1, 2, 4, 8, 5]);
  });
});
