import { expect } from 'chai';
import { inspect } from 'node:util';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../support/key-directory.ts';
import { createKey, type NewKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable } from '../../../core/tenancy/key-table.ts';
import { PASSWORD, requirePostgres, startPostgres, type PostgresServer } from '../../support/servers/postgres.ts';
import { createEntry, createManualClock, findText } from './tenancy-setup.ts';

describe('keys in a Postgres that is killed', function suite() {
  let server: PostgresServer;
  let database: Database;
  before(async function start() {
    requirePostgres(this);
    server = await startPostgres('-c', 'fsync=on', '-c', 'synchronous_commit=on');
    database = await openDatabase(server.url);
  });
  after(async () => {
    await database?.destroy();
    await server?.stop();
  });

  it('known keys stay valid, other keys are store failures, and both are found after the outage', async () => {
    const clock = createManualClock();
    const logged: unknown[] = [];
    const record = (fields: object, text: string): void => void logged.push(text, fields);
    const table = createKeyTable(database);
    const directory = createKeyDirectory({ organizations: {}, table, clock, log: { warn: record, info: record } });
    const find = async ({ text }: NewKey): Promise<unknown> => {
      try {
        return (await findText(directory, text))?.caller.key;
      } catch (error) {
        return error;
      }
    };
    const [seen, unseen] = [createKey(), createKey()];
    for (const key of [seen, unseen]) await table.insert(createEntry(key));
    expect(await find(seen)).to.equal('bob');

    await server.kill();
    clock.pass(5_000);
    expect(await find(seen)).to.equal('bob');
    expect(await find(unseen)).to.have.property('code', 'KOINE_STORE_FAILED');
    expect(logged[0]).to.equal(
      'The keys in the database cannot be read. Keys of the configuration and recently confirmed keys still work.',
    );
    expect(inspect(logged, { depth: 9, showHidden: true }))
      .to.include('Error')
      .and.not.include(PASSWORD);

    await server.restart();
    clock.pass(1_000);
    expect(await find(unseen)).to.equal('bob');
    await table.revoke(seen.id, 9_000);
    clock.pass(1_000);
    expect(await findText(directory, seen.text)).to.include({ disabled: true });
  });
});
