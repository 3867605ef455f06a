import { inspect } from 'node:util';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { KeyDirectory } from '../../../core/contracts/services.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../../core/tenancy/directory.ts';
import { createKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, configureOrganizations, createEntry, createStillClock, findText } from './tenancy-setup.ts';

describeOnBoth('a database that fails while keys are asked for', ({ fresh }) => {
  const known = createKey();
  const unseen = createKey();
  let database: Database;
  let clock: ReturnType<typeof createStillClock>;
  let directory: KeyDirectory;
  let told: string[];
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
    clock = createStillClock();
    told = [];
    const tell = (_fields: object, text: string): void => {
      told.push(text);
    };
    const table = createKeyTable(database);
    directory = createKeyDirectory({
      organizations: configureOrganizations({ alice: configureKey({ key: 'configured' }) }),
      table,
      clock,
      log: { warn: tell, info: tell },
    });
    for (const key of [known, unseen]) await table.insert(createEntry(key));
    await findText(directory, known.text);
    await breakDatabase();
    clock.pass(5_000);
  });
  afterEach(() => database.destroy());

  it('throws for a key that was never seen, good or not, and does not tell it', async () => {
    for (const { text } of [unseen, createKey()]) {
      const error = await readFailure(text);
      expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
      expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(text.slice(15));
    }
  });

  it('does not touch the keys of the configuration', () => {
    expect(findText(directory, 'configured')).to.have.nested.property('caller.key', 'alice');
  });

  it('lets a key go on that was seen, asking again once a second', async () => {
    expect(await findText(directory, known.text)).to.have.nested.property('caller.key', 'bob');
    clock.pass(999);
    expect(findText(directory, known.text)).to.have.nested.property('caller.key', 'bob');
    clock.pass(1);
    expect(findText(directory, known.text)).to.be.instanceOf(Promise);
    expect(await findText(directory, known.text)).to.have.nested.property('caller.key', 'bob');
  });

  it('does not bring back a key that was deleted before', async () => {
    await repairDatabase();
    await database.deleteFrom('keys').execute();
    expect(await findText(directory, known.text)).to.equal(undefined);
    await breakDatabase();
    clock.pass(1_000);
    expect(await readFailure(known.text)).to.have.property('code', 'KOINE_STORE_FAILED');
  });

  it('for over an hour ends that too, since a revocation could not be heard', async () => {
    expect(await readFailure(known.text)).to.have.nested.property('found.caller.key', 'bob');
    clock.pass(3_600_000);
    expect(await readFailure(known.text)).to.have.property('code', 'KOINE_STORE_FAILED');
  });

  it('and comes back is used again at once, with what changed meanwhile', async () => {
    await readFailure(unseen.text);
    await repairDatabase();
    expect(await findText(directory, unseen.text)).to.have.nested.property('caller.key', 'bob');
    await createKeyTable(database).disable(known.id);
    expect(await findText(directory, known.text)).to.include({ disabled: true });
  });

  it('is told of once, and so is its return', async () => {
    for (let count = 0; count < 5; count += 1) await readFailure(createKey().text);
    expect(told).to.deep.equal([
      'The keys in the database cannot be read; configured keys and keys seen lately go on.',
    ]);
    await repairDatabase();
    await readFailure(unseen.text);
    expect(told.slice(1)).to.deep.equal(['The keys in the database can be read again.']);
  });
});
