import { expect } from 'chai';
import { anthropicPrices } from '../../../providers/anthropic/prices.ts';
import { listRates, priceLaws } from '../price-laws.ts';

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
      ['claude-fable-5-1', 0.025],
      ['claude-mythos-5-1', 0.025],
      ['claude-opus-5-5', 0.05],
      ['claude-sonnet-5-5', 0.05],
    ]);
    for (const { label, rates } of listRates(anthropicPrices))
      expect((rates.cacheRead ?? 0) / rates.input, label).to.be.closeTo(less.get(label) ?? 0.1, 1e-9);
  });

  it('prices output at five times the input', () => {
    for (const { label, rates } of listRates(anthropicPrices))
      expect(rates.output / rates.input, label).to.be.closeTo(5, 1e-9);
  });
});
