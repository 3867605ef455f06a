import { expect } from 'chai';
import type { KeyDirectory } from '../../../core/contracts/services.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../../core/tenancy/directory.ts';
import { createKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { createEntry, createManualClock, findText } from './tenancy-setup.ts';

describeOnBoth('keys of the database', ({ kind, fresh }) => {
  let database: Database;
  let table: KeyTable;
  let clock: ReturnType<typeof createManualClock>;
  let directory: KeyDirectory;
  let queries: number;
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createKeyTable(database);
    clock = createManualClock();
    queries = 0;
    const counted = {
      find: (digest: Uint8Array) => {
        queries += 1;
        return table.find(digest);
      },
    };
    directory = createKeyDirectory({ organizations: {}, table: counted, clock });
  });
  afterEach(() => database.destroy());

  it('queries a valid key at most once per second, and returns it synchronously in between', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    expect(await findText(directory, key.text)).to.have.nested.property('caller.key', 'bob');
    clock.pass(999);
    expect(findText(directory, key.text)).to.have.nested.property('caller.key', 'bob');
    expect(queries).to.equal(1);
    clock.pass(1);
    expect(findText(directory, key.text)).to.be.instanceOf(Promise);
    expect(queries).to.equal(2);
  });

  it('queries an unknown key at most once per second', async () => {
    const key = createKey();
    expect(await findText(directory, key.text)).to.equal(undefined);
    clock.pass(999);
    expect(findText(directory, key.text)).to.equal(undefined);
    expect(queries).to.equal(1);
  });

  it('accepts a new key within a second, even if it was presented before it existed', async () => {
    const key = createKey();
    expect(await findText(directory, key.text)).to.equal(undefined);
    await table.insert(createEntry(key));
    clock.pass(1_000);
    expect(await findText(directory, key.text)).to.have.nested.property('caller.key', 'bob');
  });

  it('concurrent lookups of one key share one query', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    const found = await Promise.all(Array.from({ length: 20 }, () => findText(directory, key.text)));
    expect(found.every((record) => record?.caller.key === 'bob')).to.equal(true);
    expect(queries).to.equal(1);
  });

  it('refuses a key with a wrong checksum without a query', () => {
    const { text } = createKey();
    for (const wrong of [
      `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`,
      'koine_',
      'koine_x',
      `${text}x`,
      "koine_'; DROP TABLE keys; --",
    ]) {
      expect(findText(directory, wrong), wrong).to.equal(undefined);
    }
    expect(queries).to.equal(0);
  });

  it('queries keys that are unknown, revoked or have expired once each, as it does a valid key', async () => {
    const keys = [createKey(), createKey(), createKey(), createKey()] as const;
    const [valid, revoked, expired] = keys;
    for (const key of [valid, revoked]) await table.insert(createEntry(key));
    await table.insert(createEntry(expired, { expiresAt: 2_000 }));
    await table.revoke(revoked.id, 9_000);
    const counts: number[] = [];
    for (const { text } of keys) {
      queries = 0;
      await findText(directory, text);
      counts.push(queries);
    }
    expect(counts).to.deep.equal([1, 1, 1, 1]);
  });

  it('binds any other text as a parameter instead of building it into SQL', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    for (const text of [`' OR '1'='1`, `"; DROP TABLE keys; --`, '%', '*', '\u0000', "''"])
      expect(await findText(directory, text), text).to.equal(undefined);
    expect(await table.list()).to.have.length(1);
  });

  it('a key revoked in one process is revoked in another within a second', async () => {
    const url = await fresh();
    const [here, there] = [await openDatabase(url), await openDatabase(url)];
    const key = createKey();
    await createKeyTable(here).insert(createEntry(key));
    const shared = createKeyDirectory({ organizations: {}, table: createKeyTable(there), clock });
    expect(await findText(shared, key.text)).to.include({ disabled: false });
    await createKeyTable(here).revoke(key.id, 9_000);
    clock.pass(1_000);
    expect(await findText(shared, key.text)).to.include({ disabled: true });
    await here.deleteFrom('keys').execute();
    clock.pass(1_000);
    expect(await findText(shared, key.text)).to.equal(undefined);
    await Promise.all([here.destroy(), there.destroy()]);
  });

  it('valid keys stay cached however many wrong ones are presented, and wrong ones are evicted', async function () {
    // The cache is the same for both databases, and ten thousand queries over a network would take long.
    if (kind === 'postgres') this.skip();
    const key = createKey();
    await table.insert(createEntry(key));
    await findText(directory, key.text);
    for (let count = 0; count < 10_001; count += 1) await findText(directory, `rubbish ${count}`);
    const before = queries;
    expect(findText(directory, key.text)).to.have.nested.property('caller.key', 'bob');
    expect(findText(directory, 'rubbish 10000')).to.equal(undefined);
    expect(queries).to.equal(before);
    expect(findText(directory, 'rubbish 0')).to.be.instanceOf(Promise);
  });
});
