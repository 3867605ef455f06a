import { expect } from 'chai';
import { createReport } from '../../../plugins/ledger/api/report.ts';
import { questions, type Answer, type AskLedger, type Questions } from '../../../plugins/ledger/read/questions.ts';
import { createCountRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { settledRow } from '../../../plugins/ledger/row.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, usageOf } from './setup.ts';

onBoth('the report of the usage API', (database) => {
  const asked: unknown[] = [];
  const ask: AskLedger = <Name extends keyof Questions>(question: Name, query: Parameters<Questions[Name]>[1]) => {
    asked.push(query);
    const answer = questions[question] as (
      from: ReturnType<typeof database>,
      what: typeof query,
    ) => Promise<Answer<Name>>;
    return answer(database(), query);
  };

  it('adds up by line what has a total, and what the cache saved, which may have been lost elsewhere', async () => {
    const write = createWriteRows(database(), createCountRollup(database()));
    const worth = [
      ['vendor/one', 500n],
      ['vendor/two', -500n],
    ] as const;
    await write(
      'ours',
      worth.map(([model, saved]) =>
        settledRow(
          exchangeOf({ model }),
          outcomeOf([chargeOf(one, usageOf(100, 10))], { cache: { saved, lost: 0n } }),
          NOW,
          NOW,
        ),
      ),
    );
    const { totals, lines } = await createReport(ask, { from: NOW - HOUR, to: NOW + HOUR, by: ['model'], where: {} });
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
    expect(asked).to.deep.include({
      from: NOW - HOUR,
      to: NOW + HOUR,
      by: ['model'],
      where: {},
      counters: ['exchanges', 'ok', 'input_tokens', 'output_tokens', 'cost', 'cache_saved', 'ok_ms'],
    });
  });
});
