import { inspect } from 'node:util';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { KeyDirectory } from '../../../core/contracts/services.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../support/key-directory.ts';
import { createKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, configureOrganizations, createEntry, createManualClock, findText } from './tenancy-setup.ts';

describeOnBoth('a database that fails while keys are looked up', ({ fresh }) => {
  const known = createKey();
  const unseen = createKey();
  let database: Database;
  let clock: ReturnType<typeof createManualClock>;
  let directory: KeyDirectory;
  let logged: string[];
  const breakDatabase = () => sql`alter table keys rename to away`.execute(database);
  const repairDatabase = () => sql`alter table away rename to keys`.execute(database);
  const readFailure = async (text: string): Promise<unknown> => {
    try {
      return { found: await findText(directory, text) };
    } catch (error) {
      return error;
    }
  };

  beforeEach(async () => {
    database = await openDatabase(await fresh());
    clock = createManualClock();
    logged = [];
    const record = (_fields: object, text: string): void => {
      logged.push(text);
    };
    const table = createKeyTable(database);
    directory = createKeyDirectory({
      organizations: configureOrganizations({ alice: configureKey({ key: 'configured' }) }),
      table,
      clock,
      log: { warn: record, info: record },
    });
    for (const key of [known, unseen]) await table.insert(createEntry(key));
    await findText(directory, known.text);
    await breakDatabase();
    clock.pass(5_000);
  });
  afterEach(() => database.destroy());

  it('throws for an uncached key while the database is down, without quoting the key', async () => {
    for (const { text } of [unseen, createKey()]) {
      const error = await readFailure(text);
      expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
      expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(text.slice(15));
    }
  });

  it('finds the keys of the configuration while the database is down', () => {
    expect(findText(directory, 'configured')).to.have.nested.property('caller.key', 'alice');
  });

  it('keeps a cached key valid while the database is down, and queries again once per second', async () => {
    expect(await findText(directory, known.text)).to.have.nested.property('caller.key', 'bob');
    clock.pass(999);
    expect(findText(directory, known.text)).to.have.nested.property('caller.key', 'bob');
    clock.pass(1);
    expect(findText(directory, known.text)).to.be.instanceOf(Promise);
    expect(await findText(directory, known.text)).to.have.nested.property('caller.key', 'bob');
  });

  it('does not restore a key that was deleted before the outage', async () => {
    await repairDatabase();
    await database.deleteFrom('keys').execute();
    expect(await findText(directory, known.text)).to.equal(undefined);
    await breakDatabase();
    clock.pass(1_000);
    expect(await readFailure(known.text)).to.have.property('code', 'KOINE_STORE_FAILED');
  });

  it('throws for a cached key after an outage of an hour, because a revocation would go unnoticed', async () => {
    expect(await readFailure(known.text)).to.have.nested.property('found.caller.key', 'bob');
    clock.pass(3_600_000);
    expect(await readFailure(known.text)).to.have.property('code', 'KOINE_STORE_FAILED');
  });

  it('queries the database at once when it recovers, and sees the changes made meanwhile', async () => {
    await readFailure(unseen.text);
    await repairDatabase();
    expect(await findText(directory, unseen.text)).to.have.nested.property('caller.key', 'bob');
    await createKeyTable(database).revoke(known.id, 9_000);
    expect(await findText(directory, known.text)).to.include({ disabled: true });
  });

  it('logs an outage of the database once, and its recovery once', async () => {
    for (let count = 0; count < 5; count += 1) await readFailure(createKey().text);
    expect(logged).to.deep.equal([
      'The keys in the database cannot be read. Keys of the configuration and recently confirmed keys still work.',
    ]);
    await repairDatabase();
    await readFailure(unseen.text);
    expect(logged.slice(1)).to.deep.equal(['The keys in the database can be read again.']);
  });
});
