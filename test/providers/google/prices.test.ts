import { expect } from 'chai';
import { googlePrices } from '../../../providers/google/prices.ts';
import { listPrices, listRates, priceLaws } from '../price-laws.ts';

describe('prices of Gemini models', () => {
  priceLaws(googlePrices, 'ai.google.dev');

  it('prices cache reads at 0.1x of input where they have a price of their own', () => {
    for (const { label, rates } of listRates(googlePrices))
      if (rates.cacheRead !== undefined) expect(rates.cacheRead / rates.input, label).to.be.closeTo(0.1, 1e-9);
  });

  it('halves all rates of Google with flex', () => {
    for (const { models, price, tiers } of listPrices(googlePrices)) {
      const { flex } = tiers;
      if (flex !== undefined)
        expect([flex.input * 2, flex.output * 2, (flex.cacheRead ?? 0) * 2], models[0]).to.deep.equal([
          price.input,
          price.output,
          price.cacheRead,
        ]);
    }
  });

  it('charges other rates above 200k tokens for Pro only', () => {
    const long = listPrices(googlePrices).filter(({ price }) => price.longContext !== undefined);
    expect(long.flatMap(({ models }) => models).every((model) => model.includes('-pro'))).to.equal(true);
    expect(long.flatMap(({ price }) => price.longContext?.map(({ above }) => above))).to.deep.equal([200_000, 200_000]);
  });
});
