import { expect } from 'chai';
import { listPriceHistory, recordPrices } from '../../../core/catalog/price-history.ts';
import { resolvePrice } from '../../../core/config/resolve/resolve-price.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';

const page = 'https://example.com/prices';
const cheap = resolvePrice({ input: 1, output: 2 }, { page, seen: '2026-11-21' });
const dear = resolvePrice(
  {
    input: 2.5,
    output: 10,
    cacheRead: 0.25,
    reasoning: 12,
    request: 0.001,
    longContext: [{ above: 200_000, input: 5, output: 20 }],
    tiers: { 'flex 2': { input: 1, output: 5 }, priority: 2 },
    units: { webSearches: 0.01, images: { '1024x1024': { low: 0.011, high: 0.167 }, 'default': 0.2 } },
    regions: { us: 1.1 },
  },
  { page: 'the configuration' },
);

describeOnBoth('the history of prices', ({ fresh }) => {
  let url: string;
  let database: Database;
  beforeEach(async () => {
    url = await fresh();
    database = await openDatabase(url);
  });
  afterEach(() => database.destroy());

  it('returns every recorded rate unchanged, with its source', async () => {
    await recordPrices(
      database,
      [
        { id: 'b/dear', price: dear },
        { id: 'a/cheap', price: cheap },
        { id: 'c/unpriced', price: undefined },
      ],
      1_795_255_417_258,
    );
    expect(await listPriceHistory(database)).to.deep.equal([
      { target: 'a/cheap', price: cheap, firstSeenAt: 1_795_255_417_258 },
      { target: 'b/dear', price: dear, firstSeenAt: 1_795_255_417_258 },
    ]);
  });

  it('keeps the first time that each version of a price was seen, even when it returns', async () => {
    for (const [now, price] of [
      [1, cheap],
      [2, dear],
      [3, cheap],
    ] as const)
      await recordPrices(database, [{ id: 'a/model', price }], now);
    expect(
      (await listPriceHistory(database)).map(({ price, firstSeenAt }) => [price.version, firstSeenAt]),
    ).to.deep.equal([
      [cheap.version, 1],
      [dear.version, 2],
    ]);
  });

  it('records each price once when several processes write at the same time', async () => {
    const other = await openDatabase(url);
    const targets = Array.from({ length: 300 }, (_, index) => ({ id: `a/${index}`, price: cheap }));
    await Promise.all([
      recordPrices(database, [...targets, ...targets], 5),
      recordPrices(other, targets.toReversed(), 5),
    ]);
    expect(await listPriceHistory(other)).to.have.length(300);
    await other.destroy();
  });

  it('records a price with dates from its start on', async () => {
    const dated = resolvePrice({ input: 2, output: 1, from: '2027-01-01', until: '2028-01-01' }, { page });
    const now = Date.parse('2026-11-23');
    await recordPrices(
      database,
      [cheap, dated].map((price) => ({ id: 'a/model', price })),
      now,
    );
    const history = await listPriceHistory(database);
    expect(history.map(({ price, firstSeenAt }) => [price.version, firstSeenAt])).to.deep.equal([
      [cheap.version, now],
      [dated.version, Date.parse('2027-01-01')],
    ]);
    expect(history[1]?.price).to.not.have.any.keys('from', 'until');
  });

  it('records two prices of 10,001 models at once, more than one statement can hold', async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `a/${index}`);
    const targets = ids.flatMap((id) => [cheap, dear].map((price) => ({ id, price })));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    try {
      await recordPrices(database, targets, 1);
    } finally {
      clearImmediate(immediate);
    }
    expect(await listPriceHistory(database)).to.have.length(20_002);
    expect(turns, 'other work has turns meanwhile').to.be.at.least(20);
  });

  it('records all prices or none', async () => {
    const targets = Array.from({ length: 1_001 }, (_, index) => ({ id: `a/${index}`, price: cheap }));
    const broken = { id: 'a/broken', price: { ...cheap, version: undefined as unknown as string } };
    const error: unknown = await recordPrices(database, [...targets, broken], 1).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
    expect(await listPriceHistory(database)).to.deep.equal([]);
  });

  it('records nothing for targets without a price', async () => {
    await recordPrices(database, [], 1);
    await recordPrices(database, [{ id: 'a/unpriced', price: undefined }], 1);
    expect(await listPriceHistory(database)).to.deep.equal([]);
  });

  it('the error names the price that cannot be read', async () => {
    await recordPrices(database, [{ id: 'a/model', price: cheap }], 1);
    for (const price of ['', '{"input":"much"}']) {
      await database.updateTable('prices').set({ price }).execute();
      const error: unknown = await listPriceHistory(database).catch((thrown: unknown) => thrown);
      expect(error).to.include({
        code: 'KOINE_STORE_FAILED',
        message: `The price ${cheap.version} of a/model in the database cannot be read.`,
      });
    }
  });
});
