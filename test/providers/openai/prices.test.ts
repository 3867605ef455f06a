import { expect } from 'chai';
import { readPriceFile } from '../../../core/config/read/price-file.ts';
import { listPrices, listRates, priceLaws } from '../price-laws.ts';

const openAiPrices = readPriceFile(new URL('../../../providers/openai/prices.yaml', import.meta.url));

describe('OpenAI: prices', () => {
  priceLaws(openAiPrices, 'developers.openai.com');

  it('charges 2x input and 1.5x output above 272K input tokens, and cached tokens as input', () => {
    for (const { models, price, tiers } of listPrices(openAiPrices)) {
      for (const card of [price, ...Object.values(tiers)]) {
        for (const long of card.longContext ?? []) {
          expect(long.above, models[0]).to.equal(272_000);
          expect(long.input / card.input, models[0]).to.be.closeTo(2, 1e-9);
          expect(long.output / card.output, models[0]).to.be.closeTo(1.5, 1e-9);
          // Some halves are rounded to cents: 0.13 for half of 0.25.
          expect((long.cacheRead ?? 0) / (card.cacheRead ?? 0), models[0]).to.be.closeTo(2, 0.1);
          expect(long.cacheWrite5m === undefined, models[0]).to.equal(card.cacheWrite5m === undefined);
        }
      }
    }
  });

  it('charges 1.25x of input for cache writes from GPT-5.6 on, and nothing extra before', () => {
    for (const { label, rates } of listRates(openAiPrices)) {
      if (rates.input === 0) continue;
      const charged = /^gpt-(?:5\.6|6)/.test(label);
      expect((rates.cacheWrite5m ?? rates.input) / rates.input, label).to.be.closeTo(charged ? 1.25 : 1, 1e-9);
    }
  });

  it('charges twice as much for cache writes of 12 hours as for those of 30 minutes', () => {
    for (const { label, rates } of listRates(openAiPrices))
      expect(rates.cacheWrite12h, label).to.equal(
        rates.cacheWrite5m === undefined ? undefined : rates.cacheWrite5m * 2,
      );
  });

  it('halves all rates with flex', () => {
    for (const { models, price, tiers } of listPrices(openAiPrices)) {
      const { flex } = tiers;
      if (flex === undefined) continue;
      expect([flex.input * 2, flex.output * 2], models[0]).to.deep.equal([price.input, price.output]);
      expect((flex.cacheRead ?? 0) * 2, models[0]).to.be.closeTo(price.cacheRead ?? 0, 0.011);
    }
  });

  it('lists fast mode under both of its names', () => {
    for (const { models, tiers } of listPrices(openAiPrices))
      expect(tiers['fast'], models[0]).to.deep.equal(tiers['priority']);
  });
});
