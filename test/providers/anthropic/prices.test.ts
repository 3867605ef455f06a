import { expect } from 'chai';
import { readPriceFile } from '../../../core/config/read/price-file.ts';
import { listPrices, listRates, priceLaws } from '../price-laws.ts';

const anthropicPrices = readPriceFile(new URL('../../../providers/anthropic/prices.yaml', import.meta.url));

describe('prices of Claude models', () => {
  priceLaws(anthropicPrices, 'platform.claude.com');

  it('prices cache writes at 1.25x of input for 5 minutes and 2x for an hour', () => {
    for (const { label, rates } of listRates(anthropicPrices)) {
      expect((rates.cacheWrite5m ?? 0) / rates.input, label).to.be.closeTo(1.25, 1e-9);
      expect((rates.cacheWrite1h ?? 0) / rates.input, label).to.be.closeTo(2, 1e-9);
    }
  });

  it('prices cache reads at 0.1x of input, or less where the page lists less', () => {
    const less = new Map([
      ['claude-fable-5-2', 0.025],
      ['claude-mythos-5-2', 0.025],
      ['claude-fable-5-1', 0.025],
      ['claude-mythos-5-1', 0.025],
      ['claude-opus-5-5', 0.05],
      ['claude-sonnet-5-5', 0.05],
    ]);
    for (const { label, rates } of listRates(anthropicPrices))
      expect((rates.cacheRead ?? 0) / rates.input, label).to.be.closeTo(less.get(label) ?? 0.1, 1e-9);
  });

  it('prices every search at USD 0.01, and fast mode and the region us at their factors', () => {
    for (const { models, price } of listPrices(anthropicPrices)) {
      expect(price.units, models[0]).to.deep.equal({ webSearches: 0.01 });
      expect(price.regions, models[0]).to.deep.equal(models[0]?.endsWith('-4-5') ? undefined : { us: 1.1 });
    }
    const fast = anthropicPrices.filter(({ price }) => 'tiers' in price).flatMap(({ models }) => models);
    expect(fast).to.deep.equal([
      'claude-fable-5-2',
      'claude-mythos-5-2',
      'claude-opus-5-5',
      'claude-opus-5',
      'claude-opus-4-8',
    ]);
  });

  it('prices output at five times the input', () => {
    for (const { label, rates } of listRates(anthropicPrices))
      expect(rates.output / rates.input, label).to.be.closeTo(5, 1e-9);
  });
});
