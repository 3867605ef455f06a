import { expect } from 'chai';
import { createReport } from '../../../../plugins/ledger/api/report.ts';
import { queries, type Queries, type QueryLedger, type QueryResult } from '../../../../plugins/ledger/read/queries.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { settledRow } from '../../../../plugins/ledger/row.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, usageOf } from '../setup.ts';

onBoth('createReport', (database) => {
  const executed: unknown[] = [];
  const queryLedger: QueryLedger = <Name extends keyof Queries>(
    name: Name,
    parameters: Parameters<Queries[Name]>[1],
  ) => {
    executed.push(parameters);
    const query = queries[name] as (
      from: ReturnType<typeof database>,
      what: typeof parameters,
    ) => Promise<QueryResult<Name>>;
    return query(database(), parameters);
  };

  it('reads for each line only the counters with a total, and cache_saved, whose total may be 0', async () => {
    const write = createWriteRows(database(), createAddRollup(database()));
    const savings = [
      ['vendor/one', 500n],
      ['vendor/two', -500n],
    ] as const;
    await write(
      'ours',
      savings.map(([model, saved]) =>
        settledRow(
          exchangeOf({ model }),
          outcomeOf([chargeOf(one, usageOf(100, 10))], { cache: { saved, lost: 0n } }),
          NOW,
          NOW,
        ),
      ),
    );
    const { totals, lines } = await createReport(queryLedger, {
      from: NOW - HOUR,
      to: NOW + HOUR,
      by: ['model'],
      where: {},
      limit: 10,
      hasPercentiles: false,
    });
    expect([totals.exchanges, totals.cache.saved, totals.tokens.output]).to.deep.equal([2, '0', 20]);
    expect(
      lines.map(({ model, exchanges, cache, tokens, outcomes, cost }) => [
        model,
        exchanges,
        cache.saved,
        tokens.output,
        outcomes['ok'],
        outcomes['timeout'],
        cost,
      ]),
    ).to.deep.equal([
      ['vendor/one', 1, '0.0000005', 10, 1, 0, '0.00012'],
      ['vendor/two', 1, '-0.0000005', 10, 1, 0, '0.00012'],
    ]);
  });
});
