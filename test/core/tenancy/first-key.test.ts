import { expect } from 'chai';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../support/key-directory.ts';
import { createFirstKey } from '../../../core/tenancy/first-key.ts';
import { createKey, digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { raceProcesses } from '../../support/race-processes.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, configureOrganizations, createEntry, createManualClock, findText } from './tenancy-setup.ts';

describeOnBoth('the first key', ({ fresh }) => {
  const clock = createManualClock();
  let database: Database;
  let table: KeyTable;
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createKeyTable(database);
  });
  afterEach(() => database.destroy());

  it('creates a first key when there is none, and accepts it', async () => {
    const made = await createFirstKey({ organizations: {}, table, clock });
    expect(made).to.include({ name: 'default', organization: 'default', project: 'default' });
    const directory = createKeyDirectory({ organizations: {}, table, clock });
    expect((await findText(directory, made?.secret ?? ''))?.caller).to.deep.equal({
      key: 'default',
      project: 'default',
      organization: 'default',
      models: [],
    });
  });

  it('creates the first key only once', async () => {
    await createFirstKey({ organizations: {}, table, clock });
    expect(await createFirstKey({ organizations: {}, table, clock })).to.equal(undefined);
    expect(await table.list()).to.have.length(1);
  });

  it('creates no first key when the database has a key, even a revoked one', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    await table.revoke(key.id, 9_000);
    expect(await createFirstKey({ organizations: {}, table, clock })).to.equal(undefined);
  });

  it('creates no first key when the configuration has a key', async () => {
    for (const key of [{ key: 'secret' }, { sha256: 'ab'.repeat(32) }]) {
      expect(
        await createFirstKey({ organizations: configureOrganizations({ alice: configureKey(key) }), table, clock }),
      ).to.equal(undefined);
    }
    expect(await table.list()).to.deep.equal([]);
  });

  it('creates a first key when every key of the configuration is empty', async () => {
    expect(
      await createFirstKey({
        organizations: configureOrganizations({ alice: configureKey({ key: '' }) }),
        table,
        clock,
      }),
    ).to.not.equal(undefined);
  });

  it('only one of several processes that start at the same time creates the first key', async () => {
    for (let round = 0; round < 2; round += 1) {
      const url = await fresh();
      const results = await raceProcesses(new URL('start-racing.ts', import.meta.url), url, 2);
      const secrets = results.filter((result) => result !== 'none');
      expect(results).to.have.length(2);
      expect(secrets, results.join()).to.have.length(1);
      const raced = await openDatabase(url);
      expect(await createKeyTable(raced).find(digestKey(secrets[0] ?? ''))).to.not.equal(undefined);
      expect(await createKeyTable(raced).list()).to.have.length(1);
      await raced.destroy();
    }
  });

  it('createFirstKey rejects when the database fails', async () => {
    await database.destroy();
    const error: unknown = await createFirstKey({ organizations: {}, table, clock }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
  });
});
