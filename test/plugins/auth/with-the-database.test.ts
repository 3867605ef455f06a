import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../../core/services/database/database.ts';
import { createKeyDirectory } from '../../support/key-directory.ts';
import { createFirstKey } from '../../../core/tenancy/first-key.ts';
import { createKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable } from '../../../core/tenancy/key-table.ts';
import { createAuth, createHead, settle } from './auth-setup.ts';

describe('the auth plugin with a database', () => {
  it('accepts a stored key, without a promise from the second request on, also when the database fails', async () => {
    const database = await openDatabase('sqlite::memory:');
    const table = createKeyTable(database);
    let time = 0;
    const clock = { now: () => time, monotonic: () => time };
    const secret = (await createFirstKey({ organizations: {}, table, clock }))?.secret ?? '';
    const organizations = {
      acme: {
        limits: [],
        projects: { web: { limits: [], keys: { alice: { key: 'configured', models: [], disabled: false } } } },
      },
    };
    const { identify } = await createAuth(createKeyDirectory({ organizations, table, clock }));
    const present = (text: string) => () => identify(createHead({ authorization: `Bearer ${text}` }));

    expect(present(secret)()).to.be.instanceOf(Promise);
    expect(await present(secret)()).to.include({ key: 'default' });
    expect(present(secret)()).to.include({ key: 'default' });

    await sql`drop table keys`.execute(database);
    time += 2_000;
    expect(present('configured')()).to.include({ key: 'alice' });
    expect(await settle(present(secret))).to.include({ key: 'default' });
    expect(await settle(present(createKey().text))).to.include({ code: 'service_unavailable', status: 503 });
    await database.destroy();
  });
});
