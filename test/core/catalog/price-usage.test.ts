import { expect } from 'chai';
import * as fc from 'fast-check';
import { priceUsage, type Price, type Usage } from '../../../core/api/index.ts';
import { createTestPrice } from '../../../core/testing/index.ts';

const none: Usage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
};
const price: Price = createTestPrice({
  input: 2_500_000_000n,
  cacheRead: 250_000_000n,
  cacheWrite5m: 3_125_000_000n,
  cacheWrite1h: 5_000_000_000n,
  output: 10_000_000_000n,
});

const kinds = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output'] as const;
const counts = fc.nat({ max: 10_000_000 });
const usages = fc.record({
  inputUncached: counts,
  cacheRead: counts,
  cacheWrite5m: counts,
  cacheWrite1h: counts,
  output: counts,
  reasoning: counts,
  source: fc.constant('provider' as const),
});
const rates = fc.bigInt({ min: 0n, max: 200_000_000_000n });
const prices = fc
  .record({ input: rates, cacheRead: rates, cacheWrite5m: rates, cacheWrite1h: rates, output: rates })
  .map(createTestPrice);
const add = (left: Usage, right: Usage): Usage => ({
  ...left,
  ...Object.fromEntries(kinds.map((kind) => [kind, left[kind] + right[kind]])),
});

describe('priceUsage', () => {
  const cases: readonly (readonly [usage: Partial<Usage>, nano: bigint])[] = [
    [{}, 0n],
    [{ inputUncached: 1_000_000 }, 2_500_000_000n],
    [{ cacheRead: 1_000 }, 250_000n],
    [{ cacheWrite5m: 8 }, 25_000n],
    [{ cacheWrite1h: 3 }, 15_000n],
    [{ output: 7, reasoning: 5 }, 70_000n],
    [
      { inputUncached: 10, cacheRead: 100, cacheWrite5m: 4, cacheWrite1h: 2, output: 5 },
      25_000n + 25_000n + 12_500n + 10_000n + 50_000n,
    ],
  ];
  for (const [usage, nano] of cases)
    it(`prices ${JSON.stringify(usage)} at ${nano} nano-dollars`, () =>
      expect(priceUsage(price, { ...none, ...usage })).to.equal(nano));

  it('prices a million units, and fractions of one', () => {
    const spoken: Price = { ...price, units: { characters: 15_000n, seconds: 100_000n } };
    expect(priceUsage(spoken, { ...none, units: { characters: 1_000_000 } })).to.equal(15_000_000_000n);
    expect(priceUsage(spoken, { ...none, units: { seconds: 2.5 } })).to.equal(250_000n);
    expect(priceUsage(spoken, { ...none, units: { seconds: -1.5, characters: Number.NaN } })).to.equal(0n);
  });

  it('rounds the sum of a price once, half up', () => {
    const cheap: Price = createTestPrice({
      input: 250_000n,
      cacheRead: 250_000n,
      cacheWrite5m: 0n,
      cacheWrite1h: 0n,
      output: 0n,
    });
    expect([1, 2, 3, 5, 6].map((tokens) => priceUsage(cheap, { ...none, inputUncached: tokens }))).to.deep.equal([
      0n,
      1n,
      1n,
      1n,
      2n,
    ]);
    expect(priceUsage(cheap, { ...none, inputUncached: 1, cacheRead: 1 })).to.equal(1n);
  });

  it('a price is exact beyond the precision of numbers', () => {
    expect(priceUsage({ ...price, output: 999_999_999_999_999_999n }, { ...none, output: 99_999_999 })).to.equal(
      99_999_998_999_999_999_900n,
    );
  });

  for (const count of [-5, Number.NaN, Number.POSITIVE_INFINITY, 100_000_001, 1e18])
    it(`treats a token count of ${count} as 0`, () =>
      expect(priceUsage(price, { ...none, output: count, inputUncached: 4 })).to.equal(10_000n));

  it('a price is never negative, and never decreases with more tokens', () => {
    fc.assert(
      fc.property(prices, usages, fc.constantFrom(...kinds), counts, (rate, usage, kind, more) => {
        const cost = priceUsage(rate, usage);
        expect(cost >= 0n).to.equal(true);
        expect(priceUsage(rate, { ...usage, [kind]: usage[kind] + more }) >= cost).to.equal(true);
      }),
    );
  });

  it('the cost of two usages is that of their sum, except for one rounding', () => {
    fc.assert(
      fc.property(prices, usages, usages, (rate, left, right) => {
        const apart = priceUsage(rate, left) + priceUsage(rate, right);
        const together = priceUsage(rate, add(left, right));
        expect(apart - together >= -1n && apart - together <= 1n).to.equal(true);
      }),
    );
  });

  it('prices reasoning once, as part of the output', () => {
    fc.assert(
      fc.property(
        prices,
        usages,
        counts,
        (rate, usage, reasoning) => priceUsage(rate, { ...usage, reasoning }) === priceUsage(rate, usage),
      ),
    );
  });
});
