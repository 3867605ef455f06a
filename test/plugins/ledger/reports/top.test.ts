import { expect } from 'chai';
import { dialectOf, sql } from '../../../../core/api/database.ts';
import { startOf } from '../../../../plugins/ledger/periods.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { readReport, type Report, type ReportQuery } from '../../../../plugins/ledger/read/report.ts';
import { sumsOf } from '../../../../plugins/ledger/read/sums.ts';
import { measures } from '../../../../plugins/ledger/read/source.ts';
import { settledRow } from '../../../../plugins/ledger/row.ts';
import { counterNames } from '../../../../plugins/ledger/tables.ts';
import { buildViews } from '../../../../plugins/ledger/thread/views.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, usageOf } from '../setup.ts';

const DAY = 24 * HOUR;
const midnight = startOf('day', NOW);
const [from, to] = [midnight - 70 * DAY, midnight - 5 * DAY];

const write = (database: LedgerDatabase, usage: readonly (readonly [key: number, ended: number, input: number])[]) => {
  const rows = usage.map(([key, ended, input]) => {
    const caller = { key: `k${key}`, project: 'web', organization: 'acme', models: [] };
    const exchange = exchangeOf({ caller, model: `vendor/m${key % 2}` });
    return settledRow(exchange, outcomeOf([chargeOf(one, usageOf(input, 1))]), ended - 5, ended);
  });
  return createWriteRows(database, createAddRollup(database))('ours', rows);
};

/** The same numbers in every run. */
const random = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

onBoth('the largest groups of a report', (database) => {
  const read = (query: Partial<ReportQuery>): Promise<Report | undefined> =>
    readReport(database(), { from, to, by: ['key'], where: {}, limit: 5_000, until: Infinity, ...query });
  const namesOf = (report: Report | undefined) => report?.lines.map(({ dimensions }) => dimensions.key);

  /** Every group, sorted by one measure and then by name. */
  const sortAll = async (query: Partial<ReportQuery>, measure: keyof typeof measures) => {
    const lines = (await read(query))?.lines ?? [];
    const valueOf = (line: (typeof lines)[number]): bigint =>
      measures[measure].reduce((sum, name) => sum + line.counters[name], 0n);
    return lines
      .toSorted(
        (a, b) => Number(valueOf(b) - valueOf(a)) || (String(a.dimensions.key) < String(b.dimensions.key) ? -1 : 1),
      )
      .map(({ dimensions }) => dimensions.key);
  };

  for (const isSkewed of [true, false])
    it(`are those of a sort of all, in months that are not complete: ${isSkewed ? 'skewed' : 'even'} usage`, async () => {
      const next = random(isSkewed ? 7 : 8);
      const usage = Array.from({ length: 900 }, (_, index) => {
        const key = index % 60;
        const size = isSkewed ? 5_000 / (1 + key) : 40;
        return [key, midnight - next(90 * 24) * HOUR - 1, 1 + next(size)] as const;
      });
      // Most of their months is outside the time of the report: of the first two, all.
      const outside = Array.from({ length: 32 }, (_, index) => [100 + index, midnight - DAY, 90_000] as const);
      const inside = outside.slice(2).map(([key]) => [key, to - 1, 1] as const);
      await write(database(), [...usage, ...outside, ...inside]);
      for (const isReady of [false, true]) {
        if (isReady) await buildViews(database(), NOW, () => {});
        for (const query of [{}, { step: 'day' }, { where: { model: ['vendor/m1'] } }] as const)
          for (const measure of ['cost', 'tokens', 'exchanges'] as const) {
            const { step: _step, ...whole } = query as { step?: 'day' };
            const expected = await sortAll(whole, measure);
            for (const count of [1, 3, 30]) {
              const report = await read({ ...query, top: { count, measure } });
              const names = [...new Set(namesOf(report))];
              expect(names.toSorted()).to.deep.equal(expected.slice(0, count).toSorted());
              if (!('step' in query)) expect(names).to.deep.equal(expected.slice(0, count));
              expect(report?.groups).to.equal(expected.length);
            }
          }
      }
    });

  it('are the first by name of more groups with the same usage than are examined', async () => {
    const isPostgres = dialectOf(database()).name === 'postgres';
    await sql`INSERT INTO ledger_dimensions
        (id, organization, project, key, route, wire, operation, model, provider, target)
      WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 4100)
      SELECT i, 'acme', 'web', 'k' || (10000 - i), '/', 'w', 'generate', 'vendor/m', 'vendor', 'vendor/m' FROM numbers
      `.execute(database());
    // The month has more of all but the first fifty.
    const insert = (step: string, start: number, count: string) =>
      sql
        .raw(
          `INSERT INTO ledger_usage (step, start, dimension, ${counterNames.join(', ')}, total_times, first_times)
          SELECT '${step}', ${start}, id, ${counterNames.map(() => count).join(', ')}, '', '' FROM ledger_dimensions`,
        )
        .execute(database());
    await insert('day', from + DAY, '7');
    await insert('month', startOf('month', from + DAY), 'CASE WHEN id <= 4050 THEN 8 ELSE 7 END');
    if (isPostgres) await sql`ANALYZE`.execute(database());
    const report = await read({ top: { count: 2, measure: 'cost' } });
    expect([namesOf(report), report?.groups]).to.deep.equal([['acme/web/k5900', 'acme/web/k5901'], 4_100]);
  });

  it('are found in whole months where the time has many periods, and in the periods themselves where it has few', async () => {
    const boundOf = async (since: number, until: number) =>
      (await sumsOf(database(), { by: ['key'], where: {} }, [since, until])).bound('cost');
    expect(await boundOf(from, to)).to.not.equal(undefined);
    expect(await boundOf(to - 7 * DAY, to)).to.equal(undefined);
    expect(await boundOf(startOf('month', from), startOf('month', to))).to.equal(undefined);
  });
});
