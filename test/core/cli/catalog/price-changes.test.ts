import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { recordPrices, type PricedTarget, type PriceRecord } from '../../../../core/catalog/price-history.ts';
import { formatChanges, listChanges } from '../../../../core/cli/catalog/price-changes.ts';
import { multiplyPrice, resolvePrice } from '../../../../core/config/resolve/resolve-price.ts';
import type { Price, WrittenPrice } from '../../../../core/api/index.ts';
import { openDatabase } from '../../../../core/services/database/database.ts';
import { createServedFolder } from '../served-folder.ts';

const [first, second] = ['2026-11-01', '2026-11-08'].map((day) => Date.parse(day)) as [number, number];
const priceOf = (written: WrittenPrice): Price =>
  resolvePrice(written, { page: 'https://example.com/prices', seen: '2026-11-07' });
const dear = priceOf({ input: 5, output: 30, tiers: { flex: { input: 2.5, output: 15 } } });
const cheap = priceOf({ input: 4, output: 30, cacheRead: 5, longContext: [{ above: 9, input: 8, output: 60 }] });

const record = (price: Price, firstSeenAt: number, target = 'mine/gpt'): PriceRecord => ({
  target,
  price,
  firstSeenAt,
});
/** One target, with the price of each model that shares it. */
const configured = (...prices: readonly (Price | undefined)[]): readonly PricedTarget[] =>
  prices.map((price) => ({ id: 'mine/gpt', price }));

describe('price changes', () => {
  it('lists no change while a target has had one price', () => {
    expect(listChanges(configured(dear), [record(dear, first)])).to.deep.equal([]);
    expect(formatChanges([])).to.equal('No price has changed since the first start with this database.');
  });

  it('lists the figures that differ between two starts', () => {
    const [change, ...others] = listChanges(configured(cheap), [record(dear, first), record(cheap, second)]);
    expect(others).to.deep.equal([]);
    expect(change).to.deep.include({
      target: 'mine/gpt',
      at: '2026-11-08T00:00:00.000Z',
      from: dear.version,
      to: cheap.version,
      source: 'https://example.com/prices',
      seen: '2026-11-07',
    });
    expect(change?.figures).to.deep.equal({
      input: [5, 4],
      cacheWrite5m: [5, 4],
      cacheWrite1h: [5, 4],
      'flex input': [2.5, null],
      'flex output': [15, null],
      'flex cacheRead': [2.5, null],
      'flex cacheWrite5m': [2.5, null],
      'flex cacheWrite1h': [2.5, null],
      'above 9 input': [null, 8],
      'above 9 output': [null, 60],
      'above 9 cacheRead': [null, 8],
      'above 9 cacheWrite5m': [null, 8],
      'above 9 cacheWrite1h': [null, 8],
    });
  });

  it('lists the figures of images by size and quality', () => {
    const priced = (high: number): Price =>
      priceOf({ input: 1, output: 2, units: { images: { '1024x1024': { low: 0.011, high }, 'default': 0.2 } } });
    const [change] = listChanges(configured(priced(0.17)), [record(priced(0.16), first)]);
    expect(change?.figures).to.deep.equal({ 'images 1024x1024 high': [0.16, 0.17] });
    const one = priceOf({ input: 1, output: 2, units: { images: 0.2 } });
    const [split] = listChanges(configured(priced(0.16)), [record(one, first)]);
    expect(split?.figures).to.deep.equal({
      'images': [0.2, null],
      'images 1024x1024 low': [null, 0.011],
      'images 1024x1024 high': [null, 0.16],
      'images default': [null, 0.2],
    });
  });

  it('lists the figures of units, regions and factors', () => {
    const priced = (fee: number, us: number, priority: number, factor: number): Price =>
      multiplyPrice(
        priceOf({ input: 1, output: 2, units: { webSearches: fee }, regions: { us }, tiers: { priority } }),
        factor,
      );
    const [change] = listChanges(configured(priced(0.02, 1.2, 3, 0.8)), [record(priced(0.01, 1.1, 2, 0.9), first)]);
    expect(change?.figures).to.deep.equal({
      factor: [0.9, 0.8],
      'priority factor': [2, 3],
      'us factor': [1.1, 1.2],
      webSearches: [0.01, 0.02],
    });
  });

  it('lists a price that no start has recorded yet once for all models', () => {
    const changes = listChanges(configured(cheap, cheap), [record(dear, first)]);
    expect(changes.map(({ at, from, to }) => [at, from, to])).to.deep.equal([[undefined, dear.version, cheap.version]]);
    expect(formatChanges(changes).split('\n').slice(0, 2)).to.deep.equal([
      `next start  mine/gpt  ${dear.version} -> ${cheap.version}  https://example.com/prices (2026-11-07)`,
      '    input: 5 -> 4',
    ]);
  });

  it('marks a former price that is back', () => {
    const changes = listChanges(configured(dear), [record(dear, first), record(cheap, second)]);
    expect(changes.map(({ from, to, again }) => [from, to, again])).to.deep.equal([
      [dear.version, cheap.version, undefined],
      [cheap.version, dear.version, true],
    ]);
    expect(listChanges(configured(dear), [record(dear, first), record(cheap, first)])).to.deep.equal([]);
    expect(formatChanges(changes)).to.include(`again  mine/gpt  ${cheap.version} -> ${dear.version}`);
  });

  it('lists a price that was removed', () => {
    const [change] = listChanges(configured(undefined), [record(dear, first)]);
    expect(change).to.deep.include({ from: dear.version, to: 'unpriced' });
    expect(change).not.to.have.any.keys('source', 'at');
    expect(change?.figures['output']).to.deep.equal([30, null]);
  });

  it('lists no change between prices of the same start', () => {
    expect(listChanges(configured(dear, cheap), [record(dear, first), record(cheap, first)])).to.deep.equal([]);
  });

  it('lists no change for a first price, nor for targets outside the configuration', () => {
    expect(
      listChanges(configured(dear), [record(dear, first, 'mine/other'), record(cheap, second, 'mine/other')]),
    ).to.deep.equal([]);
  });

  it('reads the changes from the database in koine catalog --changes', async () => {
    const data = mkdtempSync(join(tmpdir(), 'koine-prices-'));
    const url = `sqlite:${join(data, 'koine.db')}`;
    const folder = createServedFolder({ store: { database: url } });
    try {
      const database = await openDatabase(url);
      await recordPrices(database, [{ id: 'simulator/chat', price: dear }], first);
      await database.destroy();
      const { code, out, err } = await folder.run('catalog', '--changes', '--format', 'json');
      expect([code, err]).to.deep.equal([0, '']);
      const { changes } = JSON.parse(out) as {
        readonly changes: readonly { readonly target: string; readonly figures: object }[];
      };
      expect(changes.map(({ target }) => target)).to.deep.equal(['simulator/chat']);
      expect(changes[0]?.figures).to.deep.include({ input: [5, 2], output: [30, 8] });
    } finally {
      folder.remove();
      rmSync(data, { recursive: true });
    }
  });
});
