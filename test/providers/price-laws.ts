import { expect } from 'chai';
import type { ShippedPrice, WrittenPrice, WrittenRateCard, WrittenRates } from '../../core/api/index.ts';

/** The rates of an entry by what they are for: `claude-opus-5, flex, above 272000`. */
export interface LabelledRates {
  readonly label: string;
  readonly rates: WrittenRates;
}

const listCard = (label: string, { longContext = [], ...rates }: WrittenRateCard): readonly LabelledRates[] => [
  { label, rates },
  ...longContext.map(({ above, ...long }) => ({ label: `${label}, above ${above}`, rates: long })),
];

/** Every price of the entries, also those of other times. A tier that is a factor has no rates of its own. */
export const listPrices = (prices: readonly ShippedPrice[]) =>
  prices.flatMap(({ models, price }) =>
    [price].flat().map(({ tiers, ...rest }: WrittenPrice) => {
      const cards = Object.entries(tiers ?? {}).flatMap(
        ([tier, card]): readonly (readonly [string, WrittenRateCard])[] =>
          typeof card === 'number' ? [] : [[tier, card]],
      );
      return { models, price: rest, tiers: Object.fromEntries(cards) as Readonly<Record<string, WrittenRateCard>> };
    }),
  );

/** All rates of the entries, including those of long prompts and tiers. */
export const listRates = (prices: readonly ShippedPrice[]): readonly LabelledRates[] =>
  listPrices(prices).flatMap(({ models: [name = ''], price, tiers }) => {
    const { request: _request, units: _units, regions: _regions, from: _from, until: _until, ...card } = price;
    return [
      ...listCard(name, card),
      ...Object.entries(tiers).flatMap(([tier, rates]) => listCard(`${name}, ${tier}`, rates)),
    ];
  });

const isWhole = (number: number): boolean => Math.abs(number - Math.round(number)) < 1e-6;

/** Checks a price list that a provider ships for a vendor's models. */
export const priceLaws = (prices: readonly ShippedPrice[], host: string): void => {
  const all = listRates(prices);

  it(`names a page of ${host} and the date it was read for each price`, () => {
    for (const { models, page, seen } of prices) {
      expect(new URL(page), models[0]).to.include({ protocol: 'https:', host });
      expect(seen, models[0]).to.match(/^\d{4}-\d{2}-\d{2}$/);
      expect(new Date(seen).toISOString(), models[0]).to.equal(`${seen}T00:00:00.000Z`);
      expect(Date.parse(seen), models[0]).to.be.within(Date.parse('2026-01-01'), Date.now());
    }
  });

  it('lists no model twice, and lists names only', () => {
    const names = prices.flatMap(({ models }) => models);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
    expect(names.filter((name) => !/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/.test(name))).to.deep.equal([]);
    expect(prices.filter(({ models }) => models.length === 0)).to.deep.equal([]);
  });

  it('charges whole nano-dollars per million tokens', () => {
    for (const { label, rates } of all) {
      // One is free, the others are billed by seconds, characters and searches.
      if (!/^(?:omni-moderation|whisper|tts-1|rerank)/.test(label)) expect(rates.input, label).to.be.above(0);
      for (const [kind, rate] of Object.entries(rates))
        expect(rate >= 0 && rate < 1_000 && isWhole(rate * 1e9), `${label}: ${kind}`).to.equal(true);
    }
  });

  it('never charges more than input for cache reads, nor less for cache writes', () => {
    for (const { label, rates } of all) {
      const { input, cacheRead = input, cacheWrite5m = input, cacheWrite1h = cacheWrite5m } = rates;
      expect(cacheRead, label).to.be.at.most(input);
      expect(cacheWrite5m, label).to.be.at.least(input);
      expect(cacheWrite1h, label).to.be.at.least(cacheWrite5m);
    }
  });

  it('charges more for long prompts, fast and priority, and less for flex', () => {
    for (const { models, price, tiers } of listPrices(prices)) {
      const cards: readonly WrittenRateCard[] = [price, ...Object.values(tiers)];
      for (const { input, output, longContext = [] } of cards)
        for (const long of longContext)
          expect([long.above >= 100_000, long.input > input, long.output > output], models[0]).to.deep.equal([
            true,
            true,
            true,
          ]);
      for (const [tier, { input, output }] of Object.entries(tiers)) {
        expect(['flex', 'fast', 'priority'], models[0]).to.include(tier);
        expect([input < price.input, output < price.output], `${models[0]}, ${tier}`).to.deep.equal(
          tier === 'flex' ? [true, true] : [false, false],
        );
      }
    }
  });
};
