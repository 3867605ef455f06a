import { expect } from 'chai';
import { readKeyRequest } from '../../../core/config/validate/read-key.ts';
import type { ErrorCode } from '../../../core/errors/codes.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyRegister, type KeyRegister } from '../../../core/tenancy/key-register.ts';
import { digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, configureOrganizations, createManualClock } from './tenancy-setup.ts';

const codeOf = async (promise: Promise<unknown>): Promise<ErrorCode | undefined> =>
  promise.then(
    () => undefined,
    (thrown: unknown) => {
      if (GatewayError.is(thrown)) return thrown.code;
      throw thrown;
    },
  );

describeOnBoth('createKeyRegister', ({ fresh }) => {
  let database: Database;
  let table: KeyTable;
  let keys: KeyRegister;
  let clock: ReturnType<typeof createManualClock>;
  beforeEach(async () => {
    database = await openDatabase(await fresh());
    table = createKeyTable(database);
    clock = createManualClock();
    const model = { targets: [], capabilities: {} };
    const organizations = configureOrganizations({
      alice: configureKey({ key: 'a-configured-secret', models: ['openai/*'] }),
    });
    keys = createKeyRegister({ config: { organizations, models: { 'openai/gpt': model } }, table, clock });
  });
  afterEach(() => database.destroy());
  const create = (more: object = {}) =>
    keys.create(readKeyRequest({ name: 'bob', organization: 'acme', project: 'web', ...more }));

  it('creates a key that is found by its secret and listed without it', async () => {
    const { key, secret, warnings } = await create({
      models: ['openai/*'],
      limits: [{ requests: 60, per: '1m' }],
      losses: 'warn',
      vendorState: 'allow',
    });
    expect(warnings).to.deep.equal([]);
    const record = await table.find(digestKey(secret));
    expect(record?.caller).to.deep.include({
      key: 'bob',
      organization: 'acme',
      project: 'web',
      models: ['openai/*'],
      losses: 'warn',
      vendorState: 'allow',
    });
    expect(await keys.list()).to.deep.equal([
      {
        id: 'acme/web/alice',
        name: 'alice',
        organization: 'acme',
        project: 'web',
        models: ['openai/*'],
        disabled: false,
        origin: 'configuration',
      },
      { ...key, limits: [{ requests: 60, per: '1m' }] },
    ]);
    expect(JSON.stringify(await keys.list()))
      .to.not.include(secret.slice(-20))
      .and.not.include('a-configured-secret');
  });

  it('lists keys of both origins by organization and project', async () => {
    await create({ organization: 'globex' });
    await create({ project: 'shop' });
    const namesOf = async (filter: object) =>
      (await keys.list(filter)).map(({ organization, project }) => `${organization}/${project}`);
    expect(await namesOf({ organization: 'acme' })).to.deep.equal(['acme/web', 'acme/shop']);
    expect(await namesOf({ project: 'web' })).to.deep.equal(['acme/web', 'globex/web']);
    expect(await namesOf({ organization: 'acme', project: 'shop' })).to.deep.equal(['acme/shop']);
  });

  it('warns about settings of a new key that have no effect', async () => {
    expect((await create({ organization: 'globex' })).warnings.join()).to.include(
      'The organization globex is not in the configuration',
    );
    expect((await create({ project: 'shop' })).warnings.join()).to.include(
      'The project acme/shop is not in the configuration',
    );
    expect((await create({ models: ['openai/*', 'opnai/*'] })).warnings).to.deep.equal([
      'No model of the configuration matches "opnai/*".',
    ]);
    expect((await create({ organization: 'constructor' })).warnings.join()).to.include(
      'The organization constructor is not in the configuration',
    );
  });

  it('refuses to create or change a key that the configuration defines', async () => {
    expect(await codeOf(create({ name: 'alice' }))).to.equal('conflict');
    expect(await codeOf(keys.rotate('acme/web/alice', 0))).to.equal('conflict');
    expect(await codeOf(keys.revoke('acme/web/alice'))).to.equal('conflict');
    expect(await codeOf(create({ name: 'alice', project: 'shop' }))).to.equal(undefined);
  });

  it('revokes a key of the database even if the configuration now has a key of that name', async () => {
    const { key, secret } = await create();
    const organizations = configureOrganizations({ bob: configureKey({ key: 'another' }) });
    const later = createKeyRegister({ config: { organizations, models: {} }, table, clock });
    expect(await codeOf(later.rotate(key.id, 0))).to.equal('conflict');
    await later.revoke(key.id);
    expect((await table.find(digestKey(secret)))?.disabled).to.equal(true);
  });

  it('revokes a key permanently, and revoking it again changes nothing', async () => {
    const { key } = await create();
    const first = await keys.revoke(key.id);
    expect([first.before.disabled, first.after.disabled]).to.deep.equal([false, true]);
    expect(await keys.revoke(key.prefix ?? '')).to.deep.equal({ before: first.after, after: first.after });
    expect(await codeOf(keys.rotate(key.id, 0))).to.equal('conflict');
  });

  it('revokes the new key when the old one is revoked during its rotation', async () => {
    const { key } = await create();
    const racing: KeyTable = {
      ...table,
      insert: async (entry) => {
        await keys.revoke(key.id);
        await table.insert(entry);
      },
    };
    const other = createKeyRegister({ config: { organizations: {}, models: {} }, table: racing, clock });
    expect(await codeOf(other.rotate(key.id, 60_000))).to.equal('conflict');
    expect((await table.list()).map(({ disabled }) => disabled)).to.deep.equal([true, true]);
  });

  it('rotates a key: the new one has the same settings, and the old one stays valid for the overlap', async () => {
    const old = await create({ models: ['openai/*'], limits: [], expires: '2027-01-31' });
    clock.pass(10);
    const { key, secret, replaced } = await keys.rotate(old.key.id, 1_000);
    expect(secret).to.not.equal(old.secret);
    const { id: _id, prefix: _prefix, createdAt: _created, ...settings } = old.key;
    expect(key).to.deep.include(settings);
    expect((await table.find(digestKey(old.secret)))?.expiresAt).to.equal(clock.now() + 1_000);
    expect(replaced.before).to.deep.equal(old.key);
    expect(replaced.after).to.deep.equal({ ...old.key, expiresAt: new Date(clock.now() + 1_000).toISOString() });
    expect(await keys.list({ organization: 'acme' }))
      .to.deep.include(replaced.after)
      .and.deep.include(key);
  });

  it('the old key expires at once when it is rotated without an overlap', async () => {
    const old = await create();
    await keys.rotate(old.key.id, 0);
    expect((await table.find(digestKey(old.secret)))?.expiresAt).to.equal(clock.now());
    expect(await codeOf(keys.rotate(old.key.id, 0))).to.equal('conflict');
  });

  it('an overlap never extends the life of a key', async () => {
    const expiresAt = clock.now() + 100;
    const old = await create();
    await table.expire(old.key.id, expiresAt);
    const { key, replaced } = await keys.rotate(old.key.id, 5_000);
    expect((await table.find(digestKey(old.secret)))?.expiresAt).to.equal(expiresAt);
    expect([key.expiresAt, replaced.after.expiresAt]).to.deep.equal([
      new Date(expiresAt).toISOString(),
      new Date(expiresAt).toISOString(),
    ]);
  });

  it('refuses unknown ids, and new keys that have already expired', async () => {
    expect(await codeOf(keys.revoke('00000000'))).to.equal('not_found');
    expect(await codeOf(keys.rotate('', 0))).to.equal('not_found');
    expect(await codeOf(create({ expires: '1970-01-01' }))).to.equal('invalid_request');
    expect(await codeOf(create({ name: (await create()).secret }))).to.equal('invalid_request');
    expect(await codeOf(keys.rotate((await create()).key.id, 8.64e15))).to.equal('invalid_request');
  });
});
