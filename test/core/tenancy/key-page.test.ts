import { expect } from 'chai';
import { readKeyQuery, writeKeyCursor } from '../../../core/http/admin/key-query.ts';
import { openDatabase, sql, type Database } from '../../../core/services/database/database.ts';
import { dialectOf } from '../../../core/services/database/dialect.ts';
import { createKey } from '../../../core/tenancy/key-format.ts';
import { createKeyRegister, type KeyRegister } from '../../../core/tenancy/key-register.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, createEntry, listAll } from './tenancy-setup.ts';

const NOW = 50_000;
const DAY = 86_400_000;

describeOnBoth('pages of keys', ({ fresh }) => {
  let database: Database;
  let table: KeyTable;
  let keys: KeyRegister;
  let clearing = (): void => {};
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createKeyTable(database);
    const configured = (names: readonly string[]) => ({
      limits: [],
      keys: Object.fromEntries(names.map((name) => [name, configureKey({ key: `secret of ${name}` })])),
    });
    const organizations = {
      globex: { limits: [], projects: { shop: configured(['mia', 'Ann']), lab: configured(['zoe']) } },
      acme: { limits: [], projects: { web: configured(['kim']) } },
    };
    keys = createKeyRegister({ config: { organizations, models: {} }, table, clock: { now: () => NOW } });
  });
  afterEach(async () => {
    clearing();
    await database.destroy();
  });

  const insert = async (names: readonly string[], more: object = {}): Promise<void> =>
    table.insertAll(names.map((name, index) => createEntry(createKey(), { name, createdAt: 1_000 + index, ...more })));
  /** The names of every page, as a client reads them. */
  const readPages = async (query: Record<string, string>): Promise<readonly (readonly string[])[]> => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ;) {
      const read = readKeyQuery({ query: { ...query, ...(cursor && { cursor }) } }, NOW);
      const page = await keys.page(read);
      pages.push(page.map(({ key }) => key.name));
      const last = page.at(-1);
      if (last === undefined || page.length < read.limit) return pages;
      cursor = writeKeyCursor(read.sort, last.position);
    }
  };
  const readAll = async (query: Record<string, string>): Promise<readonly string[]> => (await readPages(query)).flat();

  it('each order has every key once, over any pages', async () => {
    await insert(['dora', 'cem', 'bob']);
    await insert(['same', 'same', 'same'], { createdAt: 1_001 });
    const created = (await listAll(keys)).map(({ name }) => name);
    const byName = ['kim', 'zoe', 'Ann', 'bob', 'cem', 'dora', 'mia', 'same', 'same', 'same'];
    for (const limit of ['1', '2', '3', '1000']) {
      expect(await readAll({ limit })).to.deep.equal(created);
      expect(await readAll({ limit, sort: '-created' })).to.deep.equal(created.toReversed());
      expect(await readAll({ limit, sort: 'name' })).to.deep.equal(byName);
      expect(await readAll({ limit, sort: '-name' })).to.deep.equal(byName.toReversed());
    }
    expect((await readPages({ limit: '4', sort: 'name' })).map((page) => page.length)).to.deep.equal([4, 4, 2]);
  });

  it('a search through many keys finds all of them, and gives requests their turns meanwhile', async () => {
    const many = Array.from({ length: 9_000 }, (_, index) => createEntry(createKey(), { createdAt: 2_000 + index }));
    await table.insertAll(many.map((entry, index) => ({ ...entry, name: `n${index}`, organization: `o${index % 2}` })));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    clearing = () => clearImmediate(turning);
    const search = async (query: Record<string, string>): Promise<readonly string[]> => {
      turns = 0;
      return readAll({ limit: '1000', ...query });
    };
    expect(await search({ find: 'shop/n8999' })).to.deep.equal(['n8999']);
    // SQLite examines 4,000 keys in a turn.
    expect(turns).to.be.at.least(2);
    expect(await search({ find: 'shop/n4000', sort: '-created' })).to.deep.equal(['n4000']);
    expect(await search({ find: 'shop/n39', sort: 'name' })).to.have.length(111);
    expect(await search({ organization: 'o1' })).to.have.length(4_500);
    expect(await search({ organization: 'o1', sort: '-name' })).to.have.length(4_500);
    expect(await search({ organization: 'globex' })).to.deep.equal(['mia', 'Ann', 'zoe']);
  });

  it('no statement of a search examines more keys than it has time for', async () => {
    // In parts, since a statement has a time limit.
    for (let first = 1; first <= 100_001; first += 10_000)
      await sql`INSERT INTO keys (id, name, digest, prefix, organization, project, models, disabled, created_at)
        WITH RECURSIVE numbers(n) AS (SELECT ${sql.lit(first)} UNION ALL
          SELECT n + 1 FROM numbers WHERE n < ${sql.lit(Math.min(first + 9_999, 100_001))})
        SELECT 'i' || n, 'n' || n, CAST('12345678901234567890123456' || (100000 + n) AS ${sql.raw(dialectOf(database).bytes)}),
          'p' || n, 'globex', 'shop', '[]', 0, 5000 + n FROM numbers`.execute(database);
    let statements = 0;
    const counted = createKeyTable(
      database.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements += 1;
          return result;
        },
      }),
    );
    const found = await counted.page({ sort: 'created', find: 'n100001', limit: 10, now: NOW });
    expect(found.map(({ key }) => key.name)).to.deep.equal(['n100001']);
    // Two of each part: where it ends, and what it has. The last one has no end.
    expect(statements).to.equal(dialectOf(database).name === 'postgres' ? 4 : 52);
    const last = await counted.page({ sort: 'name', find: 'n100001', limit: 10, now: NOW });
    expect(last.map(({ key }) => key.name)).to.deep.equal(['n100001']);
  }).timeout(180_000);

  it('keys are found by name and by place among many', async () => {
    await insert(['dora', 'same', 'same', 'dory']);
    await insert(['same'], { organization: 'other' });
    const named = async (name: string, where = {}) =>
      (await keys.named(name, where)).map(({ organization }) => organization);
    expect(await named('same')).to.deep.equal(['globex', 'globex', 'other']);
    expect(await named('same', { organization: 'other' })).to.deep.equal(['other']);
    expect(await named('kim')).to.deep.equal(['acme']);
    expect(await keys.similar('dore', {})).to.deep.equal(['mia', 'Ann', 'zoe', 'kim', 'dora', 'dory']);
    const place = (organization: string, project: string, name: string) => ({ organization, project, name });
    expect(
      await keys.present([
        place('globex', 'shop', 'dora'),
        place('globex', 'shop', 'dor'),
        place('acme', 'web', 'kim'),
        place('acme', 'web', 'dora'),
      ]),
    ).to.deep.equal([place('acme', 'web', 'kim'), place('globex', 'shop', 'dora')]);
  });

  it('finds parts of the place, the id, the prefix and the owner', async () => {
    await insert(['dora'], { owner: 'Eve Ümit' });
    await insert(['cem'], { project: 'under_score%' });
    const listed = await listAll(keys);
    const [dora, cem] = ['dora', 'cem'].map((name) => listed.find((key) => key.name === name));
    for (const [find, names] of [
      ['X/SHOP/m', ['mia']],
      ['ACME/w', ['kim']],
      ['e/x', []],
      ['eve Ümit', ['dora']],
      ['_score%', ['cem']],
      ['r_s', ['cem']],
      [dora?.prefix?.slice(0, 12) ?? '', ['dora']],
      [cem?.id ?? '', ['cem']],
      ["'; DROP TABLE keys; --", []],
      ['', ['mia', 'Ann', 'zoe', 'kim', 'dora', 'cem']],
    ] as const)
      expect(await readAll({ find }), find).to.have.members(names);
    expect(await readAll({ organization: 'globex', project: 'shop', find: 'a' })).to.deep.equal(['mia', 'Ann', 'dora']);
    expect(await readAll({ owner: 'Eve Ümit' })).to.deep.equal(['dora']);
  });

  it('selects by state', async () => {
    for (const [name, more] of Object.entries({
      forever: {},
      soon: { expiresAt: NOW + DAY },
      later: { expiresAt: NOW + 30 * DAY },
      over: { expiresAt: NOW },
      off: { disabled: true },
      offAndOver: { disabled: true, expiresAt: 1 },
      gone: {},
    }))
      await insert([name], { organization: 'x', ...more });
    const gone = (await table.list()).find(({ name }) => name === 'gone');
    await table.revoke(gone?.id ?? '', 5);
    for (const [state, names] of [
      ['active', ['forever', 'soon', 'later']],
      ['expiring', ['soon']],
      ['expired', ['over', 'offAndOver']],
      ['disabled', ['off']],
      ['revoked', ['gone']],
      ['active,expired,disabled', ['forever', 'soon', 'later', 'over', 'off', 'offAndOver']],
    ] as const)
      expect(await readAll({ state, organization: 'x', limit: '2' }), state).to.have.members(names);
    expect(await readAll({ state: 'active', organization: 'acme' })).to.deep.equal(['kim']);
    expect(await readAll({ state: 'expired', organization: 'acme' })).to.deep.equal([]);
  });

  it('reads no more rows than a page has', async () => {
    await insert(Array.from({ length: 3_000 }, (_, index) => `k${index}`));
    let rows = 0;
    const counted = createKeyTable(
      database.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          rows += result.rows.length;
          return result;
        },
      }),
    );
    await counted.page({ sort: 'name', limit: 100, after: ['globex', 'shop', 'k2', 'x'], now: NOW });
    expect(rows).to.equal(100);
  });

  it('the version changes with each key that is created, changed or deleted', async () => {
    const versions = new Set([await keys.version()]);
    await insert(['dora']);
    versions.add(await keys.version());
    await database.updateTable('keys').set({ owner: 'x' }).execute();
    versions.add(await keys.version());
    await database.deleteFrom('keys').execute();
    versions.add(await keys.version());
    expect(versions.size).to.equal(4);
    expect(versions.has(await keys.version())).to.equal(true);
  });
});

describe('readKeyQuery', () => {
  it('refuses what it cannot use, by name', () => {
    const place = (...values: readonly unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const [name, value] of [
      ['limit', '0'],
      ['limit', '1001'],
      ['limit', 'ten'],
      ['sort', 'expires'],
      ['state', 'active,gone'],
      ['nothing', '1'],
      ['cursor', 'x'],
      ['cursor', place('name', 1, 'a')],
      ['cursor', place('created', 1)],
      ['cursor', place('created', 1e300, 'a')],
      ['cursor', place('created', 1, 'a\0')],
      ['cursor', place('created', '1', 'a')],
    ] as const)
      expect(() => readKeyQuery({ query: { [name]: value } }, 1), `${name} ${value}`)
        .to.throw()
        .that.includes({ code: 'invalid_request', param: name });
    expect(readKeyQuery({ query: { cursor: place('created', 1, 'a') } }, 1)).to.deep.equal({
      sort: 'created',
      after: [1, 'a'],
      limit: 500,
      now: 1,
    });
  });
});
