import { expect } from 'chai';
import { openDatabase, type Database } from '../../../core/services/database.ts';
import { createKey, digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { createEntry } from './tenancy-setup.ts';

describe('the table of keys', () => {
  let database: Database;
  let table: KeyTable;
  beforeEach(() => {
    database = openDatabase('sqlite::memory:');
    table = createKeyTable(database);
  });
  afterEach(() => database.destroy());

  it('gives a key back by its digest', async () => {
    const key = createKey();
    await table.insert(createEntry(key, { expiresAt: 9_000 }));
    expect(await table.find(digestKey(key.text))).to.deep.equal({
      caller: { key: 'bob', project: 'shop', organization: 'globex', models: ['openai/*'] },
      digest: new Uint8Array(key.digest),
      disabled: false,
      expiresAt: 9_000,
    });
    expect(await table.find(createKey().digest)).to.equal(undefined);
  });

  it('lists the keys, oldest first', async () => {
    const [late, early] = [createKey(), createKey()];
    await table.insert(createEntry(late, { name: 'late', createdAt: 2_000, expiresAt: 5_000 }));
    await table.insert(createEntry(early, { name: 'early', createdAt: 1_000, models: [] }));
    const owner = { organization: 'globex', project: 'shop', disabled: false };
    expect(await table.list()).to.deep.equal([
      { ...owner, id: early.id, prefix: early.prefix, name: 'early', models: [], createdAt: 1_000 },
      { ...owner, id: late.id, prefix: late.prefix, name: 'late', models: ['openai/*'], createdAt: 2_000, expiresAt: 5_000 },
    ]);
  });

  it('revokes one key and says whether it was there', async () => {
    const [gone, kept] = [createKey(), createKey()];
    await table.insert(createEntry(gone));
    await table.insert(createEntry(kept));
    expect([await table.disable(gone.id), await table.disable('nobody00')]).to.deep.equal([true, false]);
    expect([(await table.find(gone.digest))?.disabled, (await table.find(kept.digest))?.disabled]).to.deep.equal([true, false]);
  });

  it('holds two keys of one name, so that a secret can be replaced with an overlap', async () => {
    const [old, next] = [createKey(), createKey()];
    await table.insert(createEntry(old));
    await table.insert(createEntry(next));
    expect((await table.find(old.digest))?.caller).to.deep.equal((await table.find(next.digest))?.caller);
  });

  it('refuses the same secret twice', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    const error: unknown = await table.insert(createEntry({ ...key, id: 'another0' })).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
  });

  it('fails on a list of models that cannot be read, which would else allow all', async () => {
    for (const models of ['', 'openai/*', '{}', '[1]', 'null']) {
      const key = createKey();
      await table.insert(createEntry(key));
      await database.updateTable('keys').set({ models }).where('id', '=', key.id).execute();
      const error: unknown = await table.find(key.digest).catch((thrown: unknown) => thrown);
      expect(error, models).to.have.property('code', 'KOINE_STORE_FAILED');
    }
  });
});
