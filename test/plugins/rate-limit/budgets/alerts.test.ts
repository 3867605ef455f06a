import { expect } from 'chai';
import type { Admission, Redis } from '../../../../core/api/index.ts';
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

  it('sends budget alerts again if the primary process failed', async () => {
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
  const webhook = { url: 'http://hooks.internal/koine', secret: 'a secret of sixteen', timeout: '1s' };

  it('a budget alert has the holder, the spent amount and the window of the budget', async () => {
    const bodies: string[] = [];
    const fetch = async (url: string, { body = '' }: { readonly body?: string | Uint8Array }) => {
      expect(url).to.equal(webhook.url);
      bodies.push(String(body));
      return { status: 204, body: new Uint8Array() };
    };
    const primary = createPrimary(
      { ...defaults, webhook },
      createTestPrimaryServices({ clock: createTestClock(), fetch }),
    );
    for (const worker of [1, 2, 1]) await primary.handle?.({ call: 'alert', alert }, worker);
    await primary.handle?.({ call: 'alert', alert: { ...alert, amount: 600 * USD } }, 1);
    expect(bodies).to.have.length(2);
    const { id, ...event } = JSON.parse(bodies[0] ?? '') as { readonly id: string };
    expect(id).to.match(/^[0-9a-f-]{36}$/);
    expect(event).to.deep.equal({
      event: 'budget.threshold',
      at: new Date(NOON).toISOString(),
      scope: 'key',
      path: { organization: 'acme', project: 'web', key: 'alice' },
      limit: '500 USD per month of the key alice',
      enforce: true,
      threshold: 0.8,
      spent: '400.25',
      amount: '500',
      window: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
    });
  });

  it('claims a budget alert in Redis for all hosts until after its window, and on no host if Redis fails', async () => {
    const claims: (readonly [string, number])[] = [];
    let answer: () => Promise<unknown> = async () => 'OK';
    const redis: Redis = {
      script:
        () =>
        async ([key = ''], [ms = 0]) => {
          if (key === 'koine:{gateways}') return 1;
          claims.push([key, Number(ms)]);
          return answer();
        },
      ping: async () => {},
      client: undefined,
    };
    const texts: string[] = [];
    const log = { info: () => {}, error: () => {}, warn: (_fields: object, text: string) => void texts.push(text) };
    const send = (bucket: string): unknown => primary.handle?.({ call: 'alert', alert: { ...alert, bucket } }, 1);
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock: createTestClock(), redis, log }));
    await send('one');
    await send('one');
    answer = async () => null;
    await send('another host has sent it');
    answer = () => Promise.reject(new Error('down'));
    expect(await Promise.resolve(send('later')).catch(String)).to.include('down');
    answer = async () => 'OK';
    await send('later');
    expect(texts).to.deep.equal(['a budget has reached a threshold', 'a budget has reached a threshold']);
    expect(claims[0]).to.deep.equal([
      `koine:{acme}:announced:budget.threshold;${400 * USD};${alert.start};one`,
      alert.end - NOON + 3_600_000,
    ]);
    expect(claims).to.have.length(4);
  });
});
