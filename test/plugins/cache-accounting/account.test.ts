import { expect } from 'chai';
import type { CacheAccount, Charge, ExchangeOf, Price, Services, Target, Usage } from '../../../core/api/index.ts';
import {
  createTestExchange,
  createTestPrice,
  createTestRequest,
  createTestServices,
  createTestTarget,
} from '../../../core/testing/index.ts';
import cacheAccounting from '../../../plugins/cache-accounting/index.ts';

/** USD per million tokens: 3 input, 0.30 cache read, 3.75 and 6 cache write, 15 output. */
const price: Price = createTestPrice({
  input: 3_000_000_000n,
  cacheRead: 300_000_000n,
  cacheWrite5m: 3_750_000_000n,
  cacheWrite1h: 6_000_000_000n,
  output: 15_000_000_000n,
});
const first = createTestTarget('first/model', { price });
const second = createTestTarget('second/model', {
  price: { ...price, input: 2_000_000_000n, cacheRead: 500_000_000n },
});
const none: Usage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
};
const chargeOf = (usage: Partial<Usage>, target: Target = first): Charge => ({
  attempt: 0,
  target,
  usage: { ...none, ...usage },
  price: target.price,
  cost: 0n,
});
const exchangeOf = (text: string, more: Partial<ExchangeOf<'generate'>> = {}): ExchangeOf<'generate'> =>
  createTestExchange({
    request: { ...createTestRequest(), turns: [{ role: 'user', parts: [{ type: 'text', text }] }] },
    ...more,
  });

const start = async () => {
  const clock = { time: 1_000_000, now: () => clock.time, monotonic: () => clock.time };
  const counted: Record<string, number> = {};
  const counter: Services['metrics']['counter'] = (name) => ({
    bind: (labels) => (by) =>
      void (counted[`${name} ${labels.join(' ')}`] = (counted[`${name} ${labels.join(' ')}`] ?? 0) + by),
  });
  const services = createTestServices({ clock, metrics: { ...createTestServices().metrics, counter } });
  const plugin = await cacheAccounting.create({}, services);
  const account = (charges: readonly Charge[], exchange = exchangeOf('Hello')): CacheAccount | undefined =>
    plugin.account?.(exchange, charges);
  return { account, clock, counted };
};

describe('savings of the prompt cache', () => {
  const cases: readonly (readonly [what: string, charges: readonly Charge[], saved: bigint])[] = [
    ['the difference to plain input for reads', [chargeOf({ inputUncached: 10, cacheRead: 1_000 })], 2_700_000n],
    ['the surcharge for writes', [chargeOf({ cacheWrite5m: 1_000, cacheWrite1h: 100 })], -750_000n - 300_000n],
    ['the surcharge for writes of twelve hours', [chargeOf({ cacheWrite12h: 100 })], -300_000n],
    [
      'the factors of the price and of the region',
      [
        chargeOf(
          { cacheRead: 1_000, region: 'us' },
          createTestTarget('first/model', {
            price: { ...price, factor: 500_000_000_000n, regions: { us: 1_100_000n } },
          }),
        ),
      ],
      1_485_000n,
    ],
    ['reads and writes together', [chargeOf({ cacheRead: 1_000, cacheWrite5m: 1_000 })], 1_950_000n],
    [
      'every charge at the price of its own target',
      [chargeOf({ cacheRead: 1_000 }), chargeOf({ cacheRead: 1_000 }, second)],
      2_700_000n + 1_500_000n,
    ],
    ['no savings without a cache', [chargeOf({ inputUncached: 10 })], 0n],
    [
      'only the charges with a price',
      [chargeOf({ cacheRead: 9 }, createTestTarget('third/model')), chargeOf({ cacheRead: 1_000 })],
      2_700_000n,
    ],
    [
      'less than half a nano-dollar as 0',
      [
        chargeOf(
          { cacheRead: 1 },
          createTestTarget('cheap/model', { price: { ...price, input: 700_000n, cacheRead: 300_000n } }),
        ),
      ],
      0n,
    ],
  ];
  for (const [what, charges, saved] of cases)
    it(`counts savings: ${what}`, async () =>
      expect((await start()).account(charges)).to.deep.equal({ saved, lost: 0n }));

  it('calculates savings at the rates of the service tier and prompt length of each call', async () => {
    const long = { above: 500, rates: { ...price, input: 6_000_000_000n, cacheRead: 600_000_000n } };
    const tiered = createTestTarget('first/model', {
      price: {
        ...price,
        longContext: [long],
        tiers: { flex: { ...price, input: 1_500_000_000n, cacheRead: 150_000_000n } },
      },
    });
    const { account } = await start();
    expect(account([chargeOf({ cacheRead: 1_000 }, tiered)])?.saved).to.equal(5_400_000n);
    expect(account([chargeOf({ cacheRead: 400 }, tiered)])?.saved).to.equal(1_080_000n);
    expect(account([chargeOf({ cacheRead: 1_000, tier: 'flex' }, tiered)])?.saved).to.equal(1_350_000n);
    const calls = [
      { ...none, cacheRead: 400 },
      { ...none, cacheRead: 400 },
    ];
    expect(account([{ ...chargeOf({ cacheRead: 800 }, tiered), calls }])?.saved).to.equal(2_160_000n);
  });

  it('returns no savings without a price or without a charge', async () => {
    const { account } = await start();
    expect(account([chargeOf({ cacheRead: 9 }, createTestTarget('third/model'))])).to.equal(undefined);
    expect(account([])).to.equal(undefined);
  });

  it('counts responses by hit, write and miss of the prompt cache', async () => {
    const { account, counted } = await start();
    for (const usage of [
      { cacheRead: 5, cacheWrite5m: 5 },
      { cacheWrite1h: 5 },
      { inputUncached: 5 },
      { inputUncached: 5, source: 'estimated' as const },
    ])
      account([chargeOf(usage)]);
    expect(counted).to.deep.equal({
      'koine_cache_requests_total prompt hit': 1,
      'koine_cache_requests_total prompt write': 1,
      'koine_cache_requests_total prompt miss': 1,
    });
  });
});

describe('the loss when a conversation changes targets', () => {
  const written = { inputUncached: 10, cacheRead: 400, cacheWrite5m: 600 };
  const moved = { inputUncached: 1_100, output: 5 };

  it('charges the cached tokens of a conversation that changes targets as a loss', async () => {
    const { account } = await start();
    expect(account([chargeOf(written)])?.lost).to.equal(0n);
    expect(account([chargeOf(moved, second)])).to.deep.equal({ saved: 0n, lost: 1_500_000n });
    expect(account([chargeOf(moved, second)])?.lost, 'once').to.equal(0n);
  });

  it('reports no loss for a conversation that stays at its target, even without a cache hit', async () => {
    const { account } = await start();
    account([chargeOf(written)]);
    expect(account([chargeOf({ inputUncached: 1_100 })])?.lost).to.equal(0n);
  });

  it('excludes tokens cached at the new target from the loss, which never exceeds the prompt', async () => {
    const { account } = await start();
    account([chargeOf(written)]);
    expect(account([chargeOf({ inputUncached: 100, cacheRead: 300 }, second)])?.lost).to.equal(150_000n);
  });

  it('reports a loss for a failover within one exchange, whose last charge is the target', async () => {
    const { account } = await start();
    account([chargeOf(written)]);
    expect(account([chargeOf({ inputUncached: 1_100, source: 'estimated' }), chargeOf(moved, second)])?.lost).to.equal(
      1_500_000n,
    );
  });

  it('reports no loss after the cache has expired: after five minutes, or an hour with that lifetime', async () => {
    const { account, clock } = await start();
    account([chargeOf(written)]);
    clock.time += 300_000;
    expect(account([chargeOf(moved, second)])?.lost).to.equal(0n);

    account([chargeOf({ cacheWrite1h: 1_000 })], exchangeOf('For an hour'));
    clock.time += 3_500_000;
    account([chargeOf({ cacheRead: 1_000 })], exchangeOf('For an hour'));
    clock.time += 3_599_999;
    expect(account([chargeOf(moved, second)], exchangeOf('For an hour'))?.lost).to.equal(1_500_000n);
  });

  it('reports no loss for another conversation, key or model', async () => {
    const { account } = await start();
    account([chargeOf(written)]);
    const others = [
      exchangeOf('Good day'),
      exchangeOf('Hello', { model: 'other/model' }),
      exchangeOf('Hello', { caller: { key: 'bob', project: 'web', organization: 'acme', models: [] } }),
    ];
    for (const other of others) expect(account([chargeOf(moved, second)], other)?.lost).to.equal(0n);
  });

  it('reports no loss for the oldest of more than 10,000 conversations, which is evicted', async () => {
    const { account } = await start();
    for (let count = 0; count <= 10_000; count += 1) account([chargeOf(written)], exchangeOf(`Conversation ${count}`));
    expect(account([chargeOf(moved, second)], exchangeOf('Conversation 0'))?.lost).to.equal(0n);
    expect(account([chargeOf(moved, second)], exchangeOf('Conversation 5000'))?.lost).to.equal(1_500_000n);
  });
});
