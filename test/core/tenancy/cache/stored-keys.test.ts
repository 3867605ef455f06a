import { expect } from 'chai';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { KeyDirectory } from '../../../../core/contracts/services.ts';
import { openDatabase, type Database } from '../../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../../support/key-directory.ts';
import { createKey, type NewKey } from '../../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyEntry, type KeyTable } from '../../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';
import { createEntry, createManualClock, findText } from '../tenancy-setup.ts';

describeOnBoth('keys of the database', ({ kind, fresh, ask }) => {
  let database: Database;
  let table: KeyTable;
  let clock: ReturnType<typeof createManualClock>;
  let directory: KeyDirectory;
  let queries: number;
  let reads: number;
  let url: string;
  beforeEach(async () => {
    url = await fresh();
    database = await openDatabase(url);
    table = createKeyTable(database);
    clock = createManualClock();
    queries = 0;
    reads = 0;
    const counted = {
      find: (digest: Uint8Array) => {
        queries += 1;
        return table.find(digest);
      },
      readChanges: (after?: number) => {
        reads += 1;
        return table.readChanges(after);
      },
    };
    directory = createKeyDirectory({ organizations: {}, table: counted, clock });
  });
  afterEach(() => database.destroy());

  /** Creates keys, and looks them up until changes of them are known. */
  const createKnown = async (count: number, more: Partial<KeyEntry> = {}): Promise<readonly NewKey[]> => {
    const keys = Array.from({ length: count }, () => createKey());
    await table.insertAll(keys.map((key) => createEntry(key, more)));
    for (let turn = 0; turn < 2; turn += 1) {
      for (const { text } of keys) await findText(directory, text);
      await setImmediate();
      clock.pass(1_000);
    }
    [queries, reads] = [0, 0];
    return keys;
  };

  it('queries known keys only when they change: one query in half a second confirms all of them', async () => {
    const keys = await createKnown(30);
    for (let second = 0; second < 60; second += 1) {
      for (const { text } of keys) expect(await findText(directory, text)).to.include({ disabled: false });
      clock.pass(1_000);
    }
    expect(queries).to.equal(0);
    expect(reads).to.be.within(60, 120);
  });

  it('sees what any program changes within a second, and queries only the changed keys', async () => {
    const keys = await createKnown(5, { ownerId: 'issuer ann' });
    const [changed, deleted, expired] = keys as [NewKey, NewKey, NewKey];
    for (const statement of [
      `UPDATE keys SET disabled = 1 WHERE id = '${changed.id}'`,
      `UPDATE keys SET expires_at = 5 WHERE id = '${expired.id}'`,
      `DELETE FROM keys WHERE id = '${deleted.id}'`,
    ])
      await ask(url, statement);
    clock.pass(1_000);
    const found = await Promise.all(keys.map(({ text }) => findText(directory, text)));
    expect(found.map((record) => record?.disabled)).to.deep.equal([true, undefined, false, false, false]);
    expect(found[2]).to.include({ expiresAt: 5 });
    expect([queries, reads]).to.deep.equal([3, 1]);
  });

  it('sees what the directory changes about the person of a key', async () => {
    const [key] = (await createKnown(1, { ownerId: 'issuer ann' })) as [NewKey];
    const others = await createKnown(3);
    const expectState = async (state: object, count: number, ...statements: readonly string[]): Promise<void> => {
      await ask(url, ...statements);
      for (const { text } of others) await findText(directory, text);
      queries = 0;
      clock.pass(1_000);
      expect(await findText(directory, key.text)).to.include(state);
      for (const { text } of others) await findText(directory, text);
      expect(queries, String(statements)).to.equal(count);
      clock.pass(1_000);
    };
    const user = `INSERT INTO scim_users (id, user_name, user_name_key, active, attributes, created_at, modified_at,
      version) VALUES ('u', 'ann', 'ann', 0, '{}', 1, 1, 1)`;
    await expectState({ disabled: false, unprovisioned: true }, 0, user);
    await expectState({ disabled: true }, 1, `INSERT INTO scim_people VALUES ('issuer ann', 'u')`);
    await expectState({ disabled: false }, 1, `UPDATE scim_users SET active = 1`);
    await expectState({ disabled: false }, 0, `UPDATE scim_users SET display_name = 'Ann'`);
    await expectState({ disabled: true }, 1, `DELETE FROM scim_users`);
    await expectState({ disabled: false, unprovisioned: true }, 1, `DELETE FROM scim_people`);
  });

  it('queries all known keys again when it has missed changes, and then only changes', async () => {
    const keys = await createKnown(3);
    const [first] = keys as [NewKey];
    for (let part = 0; part < 3; part += 1) {
      await table.insertAll(Array.from({ length: 400 }, () => createEntry(createKey(), { name: 'more' })));
      await database.updateTable('keys').set({ owner: 'x' }).where('name', '=', 'more').execute();
      await database.deleteFrom('keys').where('name', '=', 'more').execute();
    }
    await table.revoke(first.id, 1);
    clock.pass(1_000);
    for (let second = 0; second < 5; second += 1) {
      const found = await Promise.all(keys.map(({ text }) => findText(directory, text)));
      expect(found.map((record) => record?.disabled)).to.deep.equal([true, false, false]);
      await setImmediate();
      clock.pass(1_000);
    }
    // Twice: the clock stands still between the query of changes and those of the keys.
    expect(queries).to.equal(6);
    expect(await ask(url, 'SELECT count(*) FROM key_changes')).to.deep.equal(['1000']);
  });

  it('sees that all rows are gone', async function () {
    if (kind === 'sqlite') this.skip();
    const [key] = (await createKnown(1)) as [NewKey];
    await ask(url, 'TRUNCATE keys');
    clock.pass(1_000);
    expect(await findText(directory, key.text)).to.equal(undefined);
  });

  it('sees the changes of two transactions at once in the order of their commits', async function () {
    if (kind === 'sqlite') this.skip();
    const [one, other] = (await createKnown(2)) as [NewKey, NewKey];
    const before = await table.readChanges();
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`BEGIN; UPDATE keys SET owner = 'x' WHERE id = '${one.id}'`);
    const later = table.revoke(other.id, 1);
    expect(await Promise.race([later, setTimeout(300, 'waits')])).to.equal('waits');
    expect(await table.readChanges(before.position)).to.deep.equal({ ...before, digests: [] });
    await client.query(`UPDATE keys SET owner = 'y' WHERE id = '${other.id}'; COMMIT`);
    await client.end();
    await later;
    const { digests } = await table.readChanges(before.position);
    expect(digests).to.deep.equal([one, other, other].map(({ digest }) => new Uint8Array(digest)));
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
