import { expect } from 'chai';
import { readTenantRequest, readTenantUpdate } from '../../../../core/config/validate/read-tenant.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { openDatabase, sql, type Database } from '../../../../core/services/database/database.ts';
import { issueKey } from '../../../../core/tenancy/issue-key.ts';
import { createKeyTable } from '../../../../core/tenancy/key-table.ts';
import { createTenancy } from '../../../../core/tenancy/scopes.ts';
import { mergeTenants, StoredTenants } from '../../../../core/tenancy/tenants/stored-tenants.ts';
import { TenantRegister } from '../../../../core/tenancy/tenants/tenant-register.ts';
import { createTenantTable, type TenantTable } from '../../../../core/tenancy/tenants/tenant-table.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'none';
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown.code;
    throw thrown;
  }
};
const organizations = { acme: { limits: [], projects: { web: { limits: [], keys: {} } } } };
const budget = [{ cost: 50, per: 'month' }];
const pass = (): void => {};

describeOnBoth('organizations and projects of the database', ({ fresh }) => {
  let database: Database;
  let table: TenantTable;
  let tenants: TenantRegister;
  let changes: number;
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createTenantTable(database);
    changes = 0;
    tenants = new TenantRegister({
      organizations,
      table,
      clock: { now: () => 1_000 + changes },
      changed: async () => void (changes += 1),
    });
  });
  afterEach(() => database.destroy());
  const create = (request: object) => tenants.create(readTenantRequest(request));

  it('are listed beside those of the configuration, which cannot be changed here', async () => {
    const made = await create({ organization: 'acme', project: 'mobile', limits: budget });
    expect(made).to.deep.equal({
      id: 'acme/mobile',
      organization: 'acme',
      project: 'mobile',
      limits: budget,
      origin: 'database',
      createdAt: '1970-01-01T00:00:01.000Z',
      changedAt: '1970-01-01T00:00:01.000Z',
    });
    expect((await tenants.list()).map(({ id, origin }) => `${id} ${origin}`)).to.deep.equal([
      'acme configuration',
      'acme/mobile database',
      'acme/web configuration',
    ]);
    expect(changes).to.equal(1);
    expect(await codeOf(create({ organization: 'acme' }))).to.equal('conflict');
    expect(await codeOf(create({ organization: 'acme', project: 'web' }))).to.equal('conflict');
    expect(await codeOf(create({ organization: 'acme', project: 'mobile' }))).to.equal('conflict');
    expect(await codeOf(tenants.change('acme/web', readTenantUpdate({ limits: [] }), pass))).to.equal('conflict');
    expect(await codeOf(tenants.remove('acme', pass))).to.equal('conflict');
    expect(await codeOf(tenants.remove('nothing', pass))).to.equal('not_found');
    expect(changes).to.equal(1);
  });

  it('a project needs its organization, which can be removed after its projects only', async () => {
    expect(await codeOf(create({ organization: 'globex', project: 'web' }))).to.equal('invalid_request');
    await create({ organization: 'globex', limits: budget });
    await create({ organization: 'globex', project: 'web', keyLimits: [{ requests: 5, per: '1m' }] });
    expect(await codeOf(tenants.remove('globex', pass))).to.equal('conflict');
    expect((await tenants.remove('globex/web', pass)).before).to.include({ id: 'globex/web' });
    expect((await tenants.remove('globex', pass)).after).to.equal(undefined);
    expect((await tenants.list()).map(({ id }) => id)).to.deep.equal(['acme', 'acme/web']);
  });

  it('a change keeps what it does not name, and null removes the limits of keys', async () => {
    await create({ organization: 'globex', limits: budget, keyLimits: [{ requests: 5, per: '1m' }] });
    const raised = [{ cost: 80, per: 'month' }];
    const { before, after } = await tenants.change('globex', readTenantUpdate({ limits: raised }), pass);
    expect(before?.limits).to.deep.equal(budget);
    expect(after).to.deep.include({ limits: raised, keyLimits: [{ requests: 5, per: '1m' }] });
    const cleared = await tenants.change('globex', readTenantUpdate({ keyLimits: null }), pass);
    expect(cleared.after).to.not.have.property('keyLimits');
    const refuse = (): never => {
      throw new GatewayError('precondition_failed');
    };
    expect(await codeOf(tenants.change('globex', readTenantUpdate({ limits: [] }), refuse))).to.equal(
      'precondition_failed',
    );
    expect((await tenants.get('globex')).limits).to.deep.equal(raised);
  });

  it('one with keys cannot be removed: they would lose its limits', async () => {
    await create({ organization: 'globex', limits: budget });
    const keys = createKeyTable(database);
    const request = { name: 'bob', organization: 'globex', project: 'web', models: [] };
    const { entry } = issueKey({ organizations, models: {} }, 1_000, request);
    await keys.insert(entry);
    expect(await codeOf(tenants.remove('globex', pass))).to.equal('conflict');
    await keys.revoke(entry.key.id, 2_000);
    expect(await codeOf(tenants.remove('globex', pass))).to.equal('none');
  });

  it('a thread reads what another one has changed, and reads nothing without a change', async () => {
    let lists = 0;
    const counted = { version: () => table.version(), list: () => ((lists += 1), table.list()) };
    const stored = new StoredTenants(counted, createTestLog());
    const tenancy = createTenancy({ organizations, limits: [], admin: {} }, stored);
    const caller = { key: 'bob', project: 'web', organization: 'globex', models: [] };
    const limitsOf = () => tenancy.scopes(caller).map(({ limits }) => limits.map(({ unit }) => unit));
    await stored.refresh();
    expect(limitsOf()).to.deep.equal([[], [], []]);
    await create({ organization: 'globex', limits: budget, keyLimits: [{ requests: 5, per: '1m' }] });
    const before = tenancy.changes?.version;
    await stored.refresh();
    expect(tenancy.changes?.version).to.not.equal(before);
    expect(limitsOf()).to.deep.equal([['requests'], [], ['cost']]);
    await stored.refresh();
    expect(lists).to.equal(2);
    await tenants.remove('globex', pass);
    await stored.refresh();
    expect(limitsOf()).to.deep.equal([[], [], []]);
  });

  it('limits that cannot be read are a failure of the store, never none', async () => {
    await create({ organization: 'globex', limits: budget });
    await sql`UPDATE tenants SET limits = '[{"unit":"cost"}]'`.execute(database);
    expect(await codeOf(table.list())).to.equal('KOINE_STORE_FAILED');
  });
});

describe('mergeTenants', () => {
  it('leaves what the file has as it is, and adds projects to its organizations', () => {
    const level = { limits: [], createdAt: 0, changedAt: 0 };
    const limit = { unit: 'cost', amount: 1, per: 'month', models: [], enforce: true } as const;
    const merged = mergeTenants(organizations, [
      { ...level, organization: 'acme', limits: [limit] },
      { ...level, organization: 'acme', project: 'web', limits: [limit] },
      { ...level, organization: 'acme', project: 'mobile', limits: [limit] },
      { ...level, organization: 'globex', limits: [limit] },
      { ...level, organization: 'globex', project: 'web' },
    ]);
    expect(merged['acme']?.limits).to.deep.equal([]);
    expect(merged['acme']?.projects['web']).to.equal(organizations.acme.projects.web);
    expect(merged['acme']?.projects['mobile']?.limits).to.deep.equal([limit]);
    expect(merged['globex']?.limits).to.deep.equal([limit]);
    expect(Object.keys(merged['globex']?.projects ?? {})).to.deep.equal(['web']);
    expect(Object.keys(organizations.acme.projects)).to.deep.equal(['web']);
  });

  it('no name becomes the prototype of an object', () => {
    expect(() => readTenantRequest({ organization: '__proto__' })).to.throw(GatewayError);
  });
});
