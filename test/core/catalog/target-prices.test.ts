import { expect } from 'chai';
import type { WrittenPrice } from '../../../core/api/index.ts';
import { createCatalog, type RunningProvider } from '../../../core/catalog/catalog.ts';
import { priceAt } from '../../../core/catalog/target-prices.ts';
import { resolvePrices } from '../../../core/config/resolve/resolve-price.ts';

const source = { page: 'https://example.com/prices', seen: '2026-11-23' };
const NEW_YEAR = Date.parse('2027-01-01T00:00:00.000Z');
const inputAt = (prices: readonly WrittenPrice[], now: number): number | undefined => {
  const price = priceAt(resolvePrices(prices, source), now);
  return price === undefined ? undefined : Number(price.input) / 1e9;
};

describe('a list of prices with dates', () => {
  it('changes at the start of the day, in UTC, to the millisecond', () => {
    const prices = [
      { input: 1, output: 1 },
      { input: 2, output: 2, from: '2027-01-01' },
    ];
    expect([NEW_YEAR - 1, NEW_YEAR, NEW_YEAR + 1].map((now) => inputAt(prices, now))).to.deep.equal([1, 2, 2]);
    expect(inputAt(prices.toReversed(), NEW_YEAR), 'in any order').to.equal(2);
  });

  it('a price ends at the start of its last date, and afterwards the one before applies again', () => {
    const prices = [
      { input: 3, output: 3 },
      { input: 1, output: 1, from: '2026-12-01T12:00:00+01:00', until: '2027-01-01' },
    ];
    const start = Date.parse('2026-12-01T11:00:00Z');
    expect([start - 1, start, NEW_YEAR - 1, NEW_YEAR].map((now) => inputAt(prices, now))).to.deep.equal([3, 1, 1, 3]);
  });

  it('there is no price outside all dates', () => {
    const prices = [{ input: 1, output: 1, from: '2026-12-01', until: '2027-01-01' }];
    expect(inputAt(prices, NEW_YEAR)).to.equal(undefined);
    expect(inputAt(prices, Date.parse('2026-11-30T23:59:59.999Z'))).to.equal(undefined);
  });
});

describe('the price of a target', () => {
  const provider = (more: Partial<RunningProvider> = {}): RunningProvider => ({
    families: [],
    prices: [
      { models: ['shipped'], price: { input: 5, output: 5 }, page: source.page, seen: source.seen },
      {
        models: ['introduced'],
        price: [
          { input: 1, output: 1 },
          { input: 2, output: 2, from: '2027-01-01' },
        ],
        page: source.page,
        seen: source.seen,
      },
    ],
    instance: {
      credentials: [{ id: 'first' }],
      endpoint: () => ({ wires: [], origin: { provider: 'vendor', family: 'vendor' } }),
    },
    ...more,
  });
  let now = 0;
  const create = (models: Parameters<typeof createCatalog>[0]['models'], more: Partial<RunningProvider> = {}) =>
    createCatalog({ models, aliases: {} }, new Map([['vendor', provider(more)]]), [], 0, undefined, () => now);
  const entry = (model: string, more: object = {}) => ({
    targets: [{ provider: 'vendor', model }],
    capabilities: {},
    ...more,
  });

  it('changes by itself at its date while the gateway runs', () => {
    const [target] = create({ 'vendor/a': entry('introduced') }).find('vendor/a')?.targets ?? [];
    const seen = [NEW_YEAR - 1, NEW_YEAR].map((time) => {
      now = time;
      return target?.price?.input;
    });
    expect(seen).to.deep.equal([1_000_000_000n, 2_000_000_000n]);
  });

  it('has the factors of its provider and of its model', () => {
    const models = { 'vendor/a': entry('shipped', { priceFactor: 1.5 }), 'vendor/b': entry('shipped') };
    const catalog = create(models, { priceFactor: 0.9 });
    expect(catalog.find('vendor/a')?.targets[0]?.price?.factor).to.equal(1_350_000_000_000n);
    expect(catalog.find('vendor/b')?.targets[0]?.price?.factor).to.equal(900_000_000_000n);
    expect(create(models).find('vendor/b')?.targets[0]?.price).to.not.have.property('factor');
  });

  it('finds the price of another model of the provider: configured, else shipped, else none', () => {
    const price = resolvePrices({ input: 7, output: 7 }, source);
    const models = {
      'vendor/a': entry('shipped'),
      'vendor/b': { targets: [{ provider: 'vendor', model: 'own', price }], capabilities: {} },
    };
    const [target] = create(models, { priceFactor: 0.9 }).find('vendor/a')?.targets ?? [];
    const inputOf = (model: string) => target?.priceOf?.(model)?.input;
    now = NEW_YEAR;
    expect(['own', 'shipped', 'introduced', 'unknown', 'constructor'].map(inputOf)).to.deep.equal([
      7_000_000_000n,
      5_000_000_000n,
      2_000_000_000n,
      undefined,
      undefined,
    ]);
    expect(target?.priceOf?.('introduced')?.factor).to.equal(900_000_000_000n);
  });
});
