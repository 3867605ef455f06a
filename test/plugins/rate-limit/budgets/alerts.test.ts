import { expect } from 'chai';
import type { Admission, Alert } from '../../../../core/api/index.ts';
import { createTestPrice } from '../../../../core/testing/index.ts';
import { createTestPrimaryServices } from '../../../../core/testing/services.ts';
import { createPrimary } from '../../../../plugins/rate-limit/primary.ts';
import type { BudgetAlert } from '../../../../plugins/rate-limit/budgets/alerts.ts';
import {
  createExchange,
  createLimiter,
  createOutcome,
  createTestClock,
  defaults,
  limit,
  NOON,
  usageOf,
  type TestLimiter,
} from '../setup.ts';

const USD = 1e9;
const priced = {
  id: 'o/g',
  provider: 'o',
  model: 'g',
  endpoint: { wires: [], origin: { provider: 'o', family: 'o' } },
  credentials: ['d'],
  price: createTestPrice({ input: 1_000_000n, output: 1_000_000n }),
};
const exchange = () => createExchange({ targets: [priced] });
const sentBy = ({ lines }: TestLimiter): readonly unknown[] =>
  lines
    .filter(({ text }) => text.startsWith('a budget'))
    .map(({ fields }) => [fields['event'], fields['threshold'], fields['spent']]);
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('rate-limit: budget alerts', () => {
  const spend = async (limiter: TestLimiter, usd: number, admitted?: Admission): Promise<void> => {
    const admission = admitted ?? (await limiter.admit(exchange()));
    await admission?.settle?.(createOutcome(usageOf(1, 1), { cost: BigInt(usd * USD) }));
    await tick();
  };

  it('sends a budget alert once for each share, when it is spent, not when it is reserved', async () => {
    const limiter = await createLimiter({ organization: [limit('cost', 100 * USD, { soft: [0.5, 0.8] })] });
    const running = await limiter.admit(
      createExchange({
        targets: [{ ...priced, price: createTestPrice({ input: 1_000_000n, output: 750_000_000_000_000n }) }],
      }),
    );
    await spend(limiter, 10);
    expect(sentBy(limiter)).to.deep.equal([]);
    await spend(limiter, 40, running);
    await spend(limiter, 1);
    await spend(limiter, 48);
    expect(sentBy(limiter)).to.deep.equal([
      ['budget.threshold', 0.5, '50'],
      ['budget.threshold', 0.8, '99'],
    ]);
    await spend(limiter, 3);
    await spend(limiter, 3).catch(() => {});
    expect(sentBy(limiter).slice(2)).to.deep.equal([
      ['budget.threshold', 1, '102'],
      ['budget.refused', undefined, '102'],
    ]);
  });

  it('sends budget alerts for the whole amount and for the first refusal of every budget', async () => {
    const limiter = await createLimiter({ key: [limit('cost', 5 * USD, { enforce: false }), limit('cost', USD)] });
    await spend(limiter, 0.5);
    await spend(limiter, 0.6);
    for (let count = 0; count < 3; count += 1) await limiter.refused(exchange());
    await tick();
    expect(sentBy(limiter)).to.deep.equal([
      ['budget.threshold', 1, '1.1'],
      ['budget.refused', undefined, '1.1'],
    ]);
  });

  it('sets the spent share in the metrics for budgets of projects and organizations', async () => {
    const budgets = {
      organization: [limit('cost', 100 * USD)],
      project: [limit('cost', 10 * USD, { per: 'day', models: ['o/*', 'vendor/*', '*'] }), limit('tokens', 1_000)],
      key: [limit('cost', 50 * USD)],
    };
    const limiter = await createLimiter(budgets);
    const shares = (): readonly unknown[] =>
      [...limiter.metrics].filter(([name]) => name.startsWith('koine_budget_used_ratio'));
    await spend(limiter, 4);
    expect(shares()).to.have.deep.members([
      ['koine_budget_used_ratio{acme;month}', 0.04],
      ['koine_budget_used_ratio{acme/web;day;o/*,vendor/*,*}', 0.4],
    ]);
    await spend(limiter, 7);
    limiter.clock.advance(24 * 3_600_000);
    await spend(limiter, 1);
    expect(shares()).to.have.deep.members([
      ['koine_budget_used_ratio{acme;month}', 0.12],
      ['koine_budget_used_ratio{acme/web;day;o/*,vendor/*,*}', 0.1],
    ]);
  });

  it('budget alerts start again with a new window', async () => {
    const limiter = await createLimiter({ key: [limit('cost', 10 * USD, { per: 'hour', soft: [0.5] })] });
    await spend(limiter, 6);
    limiter.clock.advance(3_600_000);
    await spend(limiter, 7);
    expect(sentBy(limiter)).to.deep.equal([
      ['budget.threshold', 0.5, '6'],
      ['budget.threshold', 0.5, '7'],
    ]);
  });

  it('sends budget alerts again if the main thread failed', async () => {
    const limiter = await createLimiter({ key: [limit('cost', 10 * USD, { soft: [0.5] })] }, {}, undefined);
    const [one, two] = [await limiter.admit(exchange()), await limiter.admit(exchange())];
    limiter.failOn('alert');
    await spend(limiter, 6, one);
    expect(sentBy(limiter)).to.deep.equal([]);
    limiter.failOn(undefined);
    await spend(limiter, 1, two);
    expect(sentBy(limiter)).to.deep.equal([['budget.threshold', 0.5, '7']]);
  });
});

describe('rate-limit: the event of a budget', () => {
  const alert: BudgetAlert = {
    event: 'budget.threshold',
    threshold: 0.8,
    tenant: 'acme',
    bucket: 'key;acme/web/alice;cost;month;calendar;',
    scope: 'key',
    path: ['acme', 'web', 'alice'],
    limit: '500 USD per month of the key alice',
    enforce: true,
    spent: 400.25 * USD,
    amount: 500 * USD,
    start: Date.UTC(2026, 10, 1),
    end: Date.UTC(2026, 11, 1),
  };

  it('a budget alert has the holder, the spent amount and the window of the budget', async () => {
    const raised: Alert[] = [];
    const primary = createPrimary(
      defaults,
      createTestPrimaryServices({ clock: createTestClock(), alert: async (each) => (raised.push(each), true) }),
    );
    await primary.handle?.({ call: 'alert', alert }, 1);
    await primary.handle?.({ call: 'alert', alert: { ...alert, amount: 600 * USD } }, 2);
    expect(raised[0]).to.deep.equal({
      event: 'budget.threshold',
      text: 'a budget has reached a threshold',
      key: `budget.threshold;${400 * USD};${alert.start};acme;key;acme/web/alice;cost;month;calendar;`,
      onceFor: alert.end - NOON + 3_600_000,
      fields: {
        scope: 'key',
        path: { organization: 'acme', project: 'web', key: 'alice' },
        limit: '500 USD per month of the key alice',
        enforce: true,
        threshold: 0.8,
        spent: '400.25',
        amount: '500',
        window: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
      },
    });
    expect(raised[1]?.key).not.to.equal(raised[0]?.key);
  });
});
