import { expect } from 'chai';
import { azurePrices } from '../../../../providers/openai/azure/prices.ts';
import { priceLaws } from '../../price-laws.ts';

const hosts = ['azure.microsoft.com', 'learn.microsoft.com', 'prices.azure.com', 'techcommunity.microsoft.com'];
const hostOf = (page: string): string => new URL(page).host;

describe('Azure OpenAI: prices', () => {
  for (const host of hosts)
    describe(`of ${host}`, () =>
      priceLaws(
        azurePrices.filter(({ page }) => hostOf(page) === host),
        host,
      ));

  it('all prices are from a page of the vendor, and no model has two', () => {
    expect(azurePrices.filter(({ page }) => !hosts.includes(hostOf(page)))).to.deep.equal([]);
    const names = azurePrices.flatMap(({ models }) => models);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });
});
