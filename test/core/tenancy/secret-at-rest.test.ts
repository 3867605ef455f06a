import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../support/key-directory.ts';
import { createFirstKey } from '../../../core/tenancy/first-key.ts';
import { createKey, digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { configureKey, configureOrganizations, createEntry, createManualClock, findText } from './tenancy-setup.ts';

describe('a stored key', () => {
  const folder = createTemporaryFolder();
  const clock = createManualClock();
  let database: Database;
  let table: KeyTable;
  before(async () => {
    database = await openDatabase(`sqlite:${join(folder.path, 'koine.db')}`);
    table = createKeyTable(database);
  });
  after(async () => {
    await database.destroy();
    folder.remove();
  });

  it('no file of the database contains the secret of a key or a part of it', async () => {
    const made = await createFirstKey({ organizations: {}, table, clock });
    const other = createKey();
    await table.insert(createEntry(other));
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), 'latin1'));
    expect(files.join('')).to.include(other.prefix);
    for (const text of [made?.secret ?? '', other.text]) {
      for (let index = text.lastIndexOf('_') + 1; index + 12 <= text.length; index += 1) {
        expect(
          files.some((file) => file.includes(text.slice(index, index + 12))),
          `part at ${index}`,
        ).to.equal(false);
      }
    }
  });

  it('keys are listed without their secrets and digests', async () => {
    const key = createKey();
    await table.insert(createEntry(key));
    const listed = (await table.list()).find(({ id }) => id === key.id);
    expect(Object.keys(listed ?? {}).sort()).to.deep.equal([
      'createdAt',
      'disabled',
      'id',
      'models',
      'name',
      'organization',
      'prefix',
      'project',
      'revoked',
    ]);
  });

  it('the stored forms of a key are not accepted as a key', async () => {
    const stored = createKey();
    await table.insert(createEntry(stored));
    const configured = Buffer.from(digestKey('a configured secret')).toString('hex');
    const directory = createKeyDirectory({
      organizations: configureOrganizations({ alice: configureKey({ sha256: configured }) }),
      table,
      clock,
    });
    const digest = Buffer.from(stored.digest);
    const forms = [
      stored.id,
      stored.prefix,
      digest.toString('hex'),
      digest.toString('latin1'),
      digest.toString('base64'),
      digest.toString('utf8'),
      configured,
    ];
    for (const form of forms) expect(await findText(directory, form), form).to.equal(undefined);
    expect(await findText(directory, stored.text)).to.not.equal(undefined);
    expect(await findText(directory, 'a configured secret')).to.not.equal(undefined);
  });
});
