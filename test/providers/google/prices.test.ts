import { expect } from 'chai';
import { readPriceFile } from '../../../core/config/read/price-file.ts';
import { listPrices, listRates, priceLaws } from '../price-laws.ts';

const googlePrices = readPriceFile(new URL('../../../providers/google/prices.yaml', import.meta.url));

describe('prices of Gemini models', () => {
  priceLaws(googlePrices, 'ai.google.dev');

  it('prices cache reads at 0.1x of input, or at 0.05x of Gemini 4', () => {
    for (const { label, rates } of listRates(googlePrices))
      if (rates.cacheRead !== undefined && !label.includes(', '))
        expect(rates.cacheRead / rates.input, label).to.be.closeTo(label === 'gemini-4-argon' ? 0.05 : 0.1, 1e-9);
  });

  it('halves input and output of Google with flex, and never charges more for the cache', () => {
    for (const { models, price, tiers } of listPrices(googlePrices)) {
      const { flex } = tiers;
      if (flex === undefined) continue;
      expect([flex.input * 2, flex.output * 2], models[0]).to.deep.equal([price.input, price.output]);
      expect((flex.cacheRead ?? 0) <= (price.cacheRead ?? 0), models[0]).to.equal(true);
    }
  });

  it('doubles the price of Gemini 3.6, 3.7 and 3.8 Flash in 2027, and that of Gemini 4 in December 2026', () => {
    const inputs = (model: string) =>
      listPrices(googlePrices.filter(({ models }) => models.includes(model))).map(({ price }) => [
        price.from,
        price.input,
      ]);
    for (const model of ['gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-3.8-flash'])
      expect(inputs(model)).to.deep.equal([
        [undefined, 0.75],
        ['2027-01-01', 1.5],
      ]);
    expect(inputs('gemini-4-argon')).to.deep.equal([
      [undefined, 2],
      ['2026-12-01', 4],
    ]);
  });

  it('prices searches of Gemini 2.5 for each prompt, and later ones for each search', () => {
    for (const { models, price } of listPrices(googlePrices))
      if (price.units !== undefined)
        expect(price.units.webSearches, models[0]).to.equal(models[0]?.startsWith('gemini-2.5') ? 0.035 : 0.014);
  });

  it('charges other rates above 200k tokens for Pro only', () => {
    const long = listPrices(googlePrices).filter(({ price }) => price.longContext !== undefined);
    expect(long.flatMap(({ models }) => models).every((model) => model.includes('-pro'))).to.equal(true);
    expect(long.flatMap(({ price }) => price.longContext?.map(({ above }) => above))).to.deep.equal([200_000, 200_000]);
  });
});
