import { expect } from 'chai';
import { readPriceFile } from '../../../../core/config/read/price-file.ts';
import { priceLaws } from '../../price-laws.ts';

const azurePrices = readPriceFile(new URL('../../../../providers/openai/azure/prices.yaml', import.meta.url));

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
