import { expect } from 'chai';
import type { KeyConfig, OrganizationConfig } from '../../../core/config/gateway-config.ts';
import type { CallerFilter } from '../../../core/contracts/caller.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyEntry, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { listCallers } from '../../../core/tenancy/list-callers.ts';
import { ConfiguredPages } from '../../../core/tenancy/lookup/configured-pages.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, createEntry } from './tenancy-setup.ts';

const NOW = 50_000;
const EVE = 'https://login.example.com e1';
const over: readonly [string, KeyConfig][] = [
  ['gone', configureKey({ disabled: true })],
  ['over', configureKey({ expires: NOW })],
];
const organizations: Readonly<Record<string, OrganizationConfig>> = {
  globex: { limits: [], projects: { lab: { limits: [], keys: { dora: configureKey({}) } } } },
  acme: {
    limits: [],
    projects: {
      web: {
        limits: [],
        keys: {
          zoe: configureKey({ models: ['openai/*'], limits: [] }),
          ...Object.fromEntries(over),
          later: configureKey({ expires: NOW + 1 }),
        },
      },
      batch: { limits: [], keys: { carol: configureKey({}) } },
    },
  },
};

describeOnBoth('listCallers', ({ fresh }) => {
  let database: Database;
  let table: KeyTable;
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createKeyTable(database);
  });
  afterEach(() => database.destroy());

  const insert = async (name: string, more: Partial<KeyEntry> = {}): Promise<void> =>
    table.insert(createEntry(createKey(), { name, organization: 'acme', project: 'web', models: [], ...more }));
  const list = (filter: Partial<CallerFilter> = {}) =>
    listCallers(
      { configured: new ConfiguredPages(organizations), table, clock: { now: () => NOW } },
      { limit: 100, ...filter },
    );
  const names = async (filter: Partial<CallerFilter> = {}): Promise<readonly string[]> =>
    (await list(filter)).callers.map(({ key }) => key);

  it('returns callers of the configuration and of the database by name, without revoked and expired keys', async () => {
    await insert('nina', { ownerId: EVE });
    await insert('old', { expiresAt: NOW });
    const revoked = createKey();
    await table.insert(createEntry(revoked, { name: 'revoked', organization: 'acme', project: 'web' }));
    await table.revoke(revoked.id, NOW);
    const { callers, next } = await list();
    expect(callers.map(({ key }) => key)).to.deep.equal(['carol', 'later', 'personal:nina', 'zoe', 'dora']);
    expect(next).to.equal(undefined);
    expect(callers[3]).to.deep.equal({
      key: 'zoe',
      project: 'web',
      organization: 'acme',
      models: ['openai/*'],
      limits: [],
    });
    expect(callers.map(({ personal }) => personal)).to.deep.equal([undefined, undefined, true, undefined, undefined]);
  });

  it('lists callers filtered by organization, project, name and the id of the owner', async () => {
    await insert('nina', { ownerId: EVE });
    await insert('fake', { owner: EVE });
    expect(await names({ organization: 'acme', project: 'batch' })).to.deep.equal(['carol']);
    expect(await names({ organization: 'globex' })).to.deep.equal(['dora']);
    expect(await names({ name: 'nina' })).to.deep.equal(['personal:nina']);
    expect(await names({ organization: 'acme', name: 'zoe' })).to.deep.equal(['zoe']);
    expect(await names({ ownerId: EVE })).to.deep.equal(['personal:nina']);
  });

  it('returns each caller once over pages, also past many keys that are not valid', async () => {
    const expired = Array.from({ length: 1_200 }, (_, index) => `expired-${index}`);
    await table.insertAll(
      expired.map((name) => createEntry(createKey(), { name, organization: 'acme', project: 'web', expiresAt: 1_001 })),
    );
    for (const name of ['same', 'same', 'same', 'alice']) await insert(name);
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const { callers, next } = await list({ limit: 2, ...(after === undefined ? {} : { after }) });
      expect(callers.length).to.be.lessThan(3);
      found.push(...callers.map(({ key }) => key));
      if (next === undefined) break;
      after = next;
    }
    expect(found).to.deep.equal(['carol', 'alice', 'later', 'same', 'same', 'same', 'zoe', 'dora']);
  });

  it('refuses a position that no page has', async () => {
    for (const after of ['', 'x', '[]', '["acme","web","zoe"]', '[1,2,3,4]']) {
      const thrown: unknown = await list({ after }).catch((error: unknown) => error);
      expect(GatewayError.is(thrown), after).to.equal(true);
      expect(thrown).to.include({ code: 'invalid_request', param: 'after' });
      expect(thrown).to.have.property('message').that.includes('must be the "next" of the page before');
    }
  });
});
