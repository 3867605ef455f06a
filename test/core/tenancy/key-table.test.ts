import { expect } from 'chai';
import { sql } from 'kysely';
import type { Limit } from '../../../core/contracts/caller.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { gatewayTables } from '../../../core/services/database/schema.ts';
import { createKey, digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { createEntry } from './tenancy-setup.ts';

const minute: Limit = { unit: 'requests', amount: 60, per: 60_000, burst: 5, models: [], enforce: true };

describeOnBoth('createKeyTable', ({ fresh }) => {
  let database: Database;
  let table: KeyTable;
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createKeyTable(database);
  });
  afterEach(() => database.destroy());

  it('finds a key in the table by its digest', async () => {
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

  it('lists the keys of the table, oldest first', async () => {
    const [late, early] = [createKey(), createKey()];
    await table.insert(createEntry(late, { name: 'late', createdAt: 2_000, expiresAt: 5_000 }));
    await table.insert(createEntry(early, { name: 'early', createdAt: 1_000, models: [] }));
    const owner = { organization: 'globex', project: 'shop', disabled: false, revoked: false };
    expect(await table.list()).to.deep.equal([
      { ...owner, id: early.id, prefix: early.prefix, name: 'early', models: [], createdAt: 1_000 },
      {
        ...owner,
        id: late.id,
        prefix: late.prefix,
        name: 'late',
        models: ['openai/*'],
        createdAt: 2_000,
        expiresAt: 5_000,
      },
    ]);
  });

  it('lists the keys of one organization, or of one project', async () => {
    const keys = [createKey(), createKey(), createKey()];
    const owners = [
      { organization: 'globex', project: 'shop' },
      { organization: 'globex', project: 'lab' },
      { organization: 'acme', project: 'shop' },
    ];
    for (const [index, key] of keys.entries())
      await table.insert(createEntry(key, { ...owners[index], createdAt: index }));
    const ids = async (filter: Parameters<KeyTable['list']>[0]): Promise<readonly string[]> =>
      (await table.list(filter)).map(({ id }) => id);
    expect(await ids({ organization: 'globex' })).to.deep.equal([keys[0]?.id, keys[1]?.id]);
    expect(await ids({ project: 'shop' })).to.deep.equal([keys[0]?.id, keys[2]?.id]);
    expect(await ids({ organization: 'globex', project: 'shop' })).to.deep.equal([keys[0]?.id]);
    expect(await ids({ organization: '%' })).to.deep.equal([]);
    expect(await ids({})).to.have.length(3);
  });

  it('returns a key by its id', async () => {
    const key = createKey();
    await table.insert(createEntry(key, { limits: [minute], losses: 'warn' }));
    expect(await table.get(key.id)).to.deep.equal((await table.list())[0]);
    expect(await table.get(key.id)).to.deep.include({ id: key.id, limits: [minute], losses: 'warn' });
    expect(await table.get('nobody00')).to.equal(undefined);
  });

  it('stores the limits and losses of a key, and distinguishes an empty list from inherited limits', async () => {
    const [own, none, inheriting] = [createKey(), createKey(), createKey()];
    const limits: readonly Limit[] = [
      minute,
      { unit: 'cost', amount: 5, per: 'month', models: ['openai/*'], enforce: false, onStoreFailure: 'deny' },
      { unit: 'concurrent', amount: 8, models: [], enforce: true },
    ];
    await table.insert(
      createEntry(own, {
        limits,
        losses: 'reject',
        vendorState: 'allow',
        costHeaders: 'on',
        hostedTools: 'drop',
        tags: { team: 'search' },
        metadata: { owner: 'ann' },
      }),
    );
    await table.insert(createEntry(none, { limits: [] }));
    await table.insert(createEntry(inheriting));
    expect((await table.find(own.digest))?.caller).to.deep.include({
      limits,
      losses: 'reject',
      vendorState: 'allow',
      costHeaders: 'on',
      hostedTools: 'drop',
      tags: { team: 'search' },
    });
    expect(await table.get(own.id)).to.deep.include({ metadata: { owner: 'ann' } });
    expect((await table.find(none.digest))?.caller.limits).to.deep.equal([]);
    expect((await table.find(inheriting.digest))?.caller).to.have.keys('key', 'project', 'organization', 'models');
  });

  it('stores the limits and losses of the first key', async () => {
    const key = createKey();
    expect(await table.insertFirst(createEntry(key, { limits: [minute], losses: 'allow' }))).to.equal(true);
    expect((await table.find(key.digest))?.caller).to.deep.include({ limits: [minute], losses: 'allow' });
  });

  it('sets the expiry of a key, but never to a later time', async () => {
    const [endless, short, long] = [createKey(), createKey(), createKey()];
    await table.insert(createEntry(endless));
    await table.insert(createEntry(short, { expiresAt: 4_000 }));
    await table.insert(createEntry(long, { expiresAt: 6_000 }));
    for (const { id } of [endless, short, long]) expect(await table.expire(id, 5_000)).to.equal(true);
    const ends = await Promise.all(
      [endless, short, long].map(async ({ digest }) => (await table.find(digest))?.expiresAt),
    );
    expect(ends).to.deep.equal([5_000, 4_000, 5_000]);
    expect(await table.expire('nobody00', 5_000)).to.equal(false);
  });

  it('revokes a key and returns whether it existed', async () => {
    const [gone, kept] = [createKey(), createKey()];
    await table.insert(createEntry(gone));
    await table.insert(createEntry(kept));
    expect([await table.revoke(gone.id, 9_000), await table.revoke('nobody00', 9_000)]).to.deep.equal([true, false]);
    expect([(await table.find(gone.digest))?.disabled, (await table.find(kept.digest))?.disabled]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('changes the given settings of a key, and removes those that are null', async () => {
    const key = createKey();
    const full = { limits: [minute], losses: 'warn', tags: { team: 'a' }, metadata: { owner: 'b' } } as const;
    await table.insert(createEntry(key, { ...full, expiresAt: 9_000 }));
    const created = await table.get(key.id);
    const first = await table.change(key.id, () => ({ name: 'new', models: null, disabled: true, losses: 'reject' }));
    expect(first?.before).to.deep.equal(created);
    expect(first?.after).to.deep.equal({ ...created, name: 'new', models: [], disabled: true, losses: 'reject' });
    expect((await table.find(key.digest))?.disabled).to.equal(true);
    await table.change(key.id, () => ({ disabled: false, limits: null, tags: null, metadata: null, expiresAt: null }));
    expect(await table.find(key.digest)).to.deep.equal({
      caller: { key: 'new', project: 'shop', organization: 'globex', models: [], losses: 'reject' },
      digest: new Uint8Array(key.digest),
      disabled: false,
    });
    const unchanged = await table.change(key.id, () => ({}));
    expect(unchanged?.after).to.deep.equal(unchanged?.before);
    expect(await table.change('nobody00', () => ({ disabled: true }))).to.equal(undefined);
  });

  it('makes changes of one key one after the other, also from several connections', async () => {
    const url = await fresh();
    const connections = await Promise.all([openDatabase(url), openDatabase(url)]);
    const key = createKey();
    const [one, other] = connections.map(createKeyTable);
    await one?.insert(createEntry(key, { metadata: {} }));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : other)?.change(key.id, ({ metadata = {} }) => ({
          metadata: { ...metadata, [`n${index}`]: 'x' },
        })),
      ),
    );
    expect(Object.keys((await one?.get(key.id))?.metadata ?? {})).to.have.length(10);
    await Promise.all(connections.map((connection) => connection.destroy()));
  });

  it('changes nothing of a key that is revoked, and nothing when the decision throws', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    const refuse = (): never => {
      throw new Error('no');
    };
    const failed = await table.change(key.id, refuse).catch((thrown: unknown) => thrown);
    expect(failed).to.have.property('message', 'no');
    await table.revoke(key.id, 9_000);
    expect((await table.change(key.id, () => ({ disabled: false })))?.after).to.include({
      disabled: true,
      revoked: true,
    });
  });

  it('keeps the time of the first revocation', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    expect((await table.get(key.id))?.revokedAt).to.equal(undefined);
    await table.revoke(key.id, 8_000);
    await table.revoke(key.id, 9_000);
    expect((await table.get(key.id))?.revokedAt).to.equal(8_000);
  });

  it('inserts many keys, all or none', async () => {
    const keys = Array.from({ length: 1_200 }, () => createEntry(createKey()));
    await table.insertAll(keys);
    expect(await table.list()).to.have.length(1_200);
    const more = [createEntry(createKey()), ...keys.slice(0, 1)];
    const error: unknown = await table.insertAll(more).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
    expect(await table.list()).to.have.length(1_200);
  });

  it('allows two keys of one name, so that a secret can be rotated with an overlap', async () => {
    const [old, next] = [createKey(), createKey()];
    await table.insert(createEntry(old));
    await table.insert(createEntry(next));
    expect((await table.find(old.digest))?.caller).to.deep.equal((await table.find(next.digest))?.caller);
  });

  it('refuses to insert the same secret twice', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    const error: unknown = await table
      .insert(createEntry({ ...key, id: 'another0' }))
      .catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
  });

  const unreadable: Readonly<
    Record<
      'models' | 'limits' | 'losses' | 'vendor_state' | 'cost_headers' | 'hosted_tools' | 'tags',
      readonly string[]
    >
  > = {
    models: ['', 'openai/*', '{}', '[1]', 'null'],
    limits: ['', 'null', '{}', 'none', '[null]', '[{}]', '[[]]', '[{"requests":60,"per":"1m"}]'],
    losses: ['', 'all', 'ALLOW', 'null'],
    vendor_state: ['', 'all', 'ALLOW', 'null'],
    cost_headers: ['', 'yes', 'ON', 'null'],
    hosted_tools: ['', 'keep', 'DROP', 'null'],
    tags: ['', '[]', 'null', '{"team":1}'],
  };
  for (const [column, texts] of Object.entries(unreadable)) {
    it(`fails when the ${column} of a key cannot be read, instead of allowing everything`, async () => {
      for (const text of texts) {
        const key = createKey();
        await table.insert(createEntry(key));
        await database
          .updateTable('keys')
          .set({ [column]: text })
          .where('id', '=', key.id)
          .execute();
        const error: unknown = await table.find(key.digest).catch((thrown: unknown) => thrown);
        expect(error, text).to.have.property('code', 'KOINE_STORE_FAILED');
        expect(error).to.have.property('message').that.includes(`The ${column} of the key ${key.prefix}`);
      }
    });
  }

  it('keeps the keys of an older database, which have no limits of their own', async () => {
    const url = await fresh();
    const key = createKey();
    const old = await openDatabase(url, { ...gatewayTables, migrations: gatewayTables.migrations.slice(0, 1) });
    const entry = {
      id: key.id,
      name: 'bob',
      digest: key.digest,
      prefix: key.prefix,
      organization: 'globex',
      project: 'shop',
      models: '[]',
      disabled: 0,
      created_at: 1,
    };
    await sql`insert into keys (${sql.join(Object.keys(entry).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(entry))})`.execute(
      old,
    );
    await old.destroy();
    const renewed = await openDatabase(url);
    expect((await createKeyTable(renewed).find(key.digest))?.caller).to.deep.equal({
      key: 'bob',
      project: 'shop',
      organization: 'globex',
      models: [],
    });
    await renewed.destroy();
  });

  it('keeps a key revoked that an older version revokes', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    await table.change(key.id, () => ({ disabled: true }));
    await database.updateTable('keys').set({ disabled: 1 }).where('id', '=', key.id).execute();
    expect(await table.get(key.id)).to.include({ disabled: true, revoked: true });
  });
});
