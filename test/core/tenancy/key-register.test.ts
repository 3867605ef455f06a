import { expect } from 'chai';
import { readKeyChange, readKeyRequest } from '../../../core/config/validate/read-key.ts';
import type { AnyErrorCode } from '../../../core/errors/codes.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { createKeyRegister, type KeyRegister } from '../../../core/tenancy/key-register.ts';
import { digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, configureOrganizations, createManualClock, listAll } from './tenancy-setup.ts';

const codeOf = async (promise: Promise<unknown>): Promise<AnyErrorCode | undefined> =>
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
    const alice = configureKey({ key: 'a-configured-secret', models: ['openai/*'] });
    const web = { limits: [], tags: { env: 'prod' }, keys: { alice } };
    const organizations = { acme: { limits: [], projects: { web } } };
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
    expect(await listAll(keys)).to.deep.equal([
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
    expect(JSON.stringify(await listAll(keys)))
      .to.not.include(secret.slice(-20))
      .and.not.include('a-configured-secret');
  });

  it('changes a key, and leaves out nothing that it had', async () => {
    const { key, secret } = await create({ models: ['openai/*'], limits: [{ cost: 5, per: 'month' }] });
    const { before, after, warnings } = await keys.change(key.prefix ?? '', (present) => {
      expect(present).to.deep.equal(key);
      return readKeyChange({ limits: [{ cost: 9, per: 'month' }], tags: { team: 'a' }, metadata: { owner: 'ann' } });
    });
    expect(before).to.deep.equal(key);
    expect(after).to.deep.equal({
      ...key,
      limits: [{ cost: 9, per: 'month' }],
      tags: { team: 'a' },
      metadata: { owner: 'ann' },
    });
    expect(warnings).to.deep.equal([]);
    expect(await keys.get(key.id)).to.deep.equal(after);
    expect((await table.find(digestKey(secret)))?.caller).to.deep.include({ tags: { team: 'a' } });
  });

  it('disables a key and enables it again, unlike a revoked one', async () => {
    const { key, secret } = await create();
    const set = (disabled: boolean) => keys.change(key.id, () => ({ disabled }));
    expect((await set(true)).after)
      .to.include({ disabled: true })
      .and.not.have.property('revoked');
    expect((await table.find(digestKey(secret)))?.disabled).to.equal(true);
    expect(await codeOf(keys.rotate(key.id, 0))).to.equal('conflict');
    expect((await set(false)).after).to.deep.equal(key);
    await keys.revoke(key.id);
    expect(await codeOf(set(false))).to.equal('conflict');
    expect(await keys.get(key.id)).to.include({ disabled: true, revoked: true });
  });

  it('warns that a renamed key starts with no usage, and about patterns that match nothing', async () => {
    const { key } = await create();
    const { warnings } = await keys.change(key.id, () => ({ name: 'bert', models: ['opnai/*'] }));
    expect(warnings).to.deep.equal([
      'No model of the configuration matches "opnai/*".',
      'Limits and usage belong to the name: those of bob do not count for bert.',
    ]);
  });

  it('refuses a change to what the configuration defines, to the past, and to too many tags', async () => {
    const { key } = await create();
    const change = (value: object) => codeOf(keys.change(key.id, () => readKeyChange(value)));
    expect(await change({ name: 'alice' })).to.equal('conflict');
    expect(await change({ name: (await create()).secret })).to.equal('invalid_request');
    expect(await change({ expiresAt: '1970-01-01' })).to.equal('invalid_request');
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, 'x']));
    expect(await change({ tags: nine })).to.equal(undefined);
    expect(await change({ tags: { ...nine, more: 'x' } })).to.equal('invalid_request');
    expect(await codeOf(keys.change('00000000', () => ({})))).to.equal('not_found');
    const configured = await keys.change('acme/web/alice', () => ({})).catch((thrown: unknown) => thrown);
    expect(configured).to.have.property(
      'message',
      'The key alice of acme/web is defined in the configuration (organizations.acme.projects.web.keys.alice). ' +
        'Change it there, and reload.',
    );
  });

  it('creates several keys, or none if one of them is invalid', async () => {
    const requests = ['ann', 'ben', 'cem'].map((name) =>
      readKeyRequest({ name, organization: 'acme', project: 'web', models: ['openai/*'] }),
    );
    const placeOf = (index: number): string => `line ${index + 2}`;
    const created = await keys.createAll(requests, placeOf);
    expect(created.map(({ key: { name } }) => name)).to.deep.equal(['ann', 'ben', 'cem']);
    for (const { secret, key } of created) expect((await table.find(digestKey(secret)))?.caller.key).to.equal(key.name);
    const count = (await table.list()).length;
    const [first] = requests;
    for (const [last, message] of [
      [{ ...first!, name: 'alice' }, /^line 3: The key alice of acme\/web is defined in the configuration/],
      [{ ...first!, name: 'dan', expiresAt: 1 }, /^line 3: key\.expires must be in the future/],
      [first!, /^line 3: acme\/web\/ann is the key of line 2 already/],
    ] as const) {
      const thrown: unknown = await keys.createAll([first!, last], placeOf).catch((error: unknown) => error);
      expect(thrown).to.have.property('message').that.matches(message);
    }
    expect(await table.list()).to.have.length(count);
  });

  it('lists keys of both origins by organization and project', async () => {
    await create({ organization: 'globex', allowUnknownProject: true });
    await create({ project: 'shop', allowUnknownProject: true });
    const namesOf = async (filter: object) =>
      (await listAll(keys, filter)).map(({ organization, project }) => `${organization}/${project}`);
    expect(await namesOf({ organization: 'acme' })).to.deep.equal(['acme/web', 'acme/shop']);
    expect(await namesOf({ project: 'web' })).to.deep.equal(['acme/web', 'globex/web']);
    expect(await namesOf({ organization: 'acme', project: 'shop' })).to.deep.equal(['acme/shop']);
  });

  it('warns about settings of a new key that have no effect', async () => {
    const allowUnknownProject = true;
    expect((await create({ organization: 'globex', allowUnknownProject })).warnings.join()).to.include(
      'The organization globex is not in the configuration',
    );
    expect((await create({ project: 'shop', allowUnknownProject })).warnings.join()).to.include(
      'The project acme/shop is not in the configuration',
    );
    expect((await create({ models: ['openai/*', 'opnai/*'] })).warnings).to.deep.equal([
      'No model of the configuration matches "opnai/*".',
    ]);
    expect((await create({ organization: 'constructor', allowUnknownProject })).warnings.join()).to.include(
      'The organization constructor is not in the configuration',
    );
  });

  it('refuses a new key of a project that the configuration lacks, and names the most similar one', async () => {
    for (const [more, param, message] of [
      [{ organization: 'acmee', project: 'webb' }, 'organization', /^The configuration has no project acmee\/webb, so/],
      [{ project: 'wbe' }, 'project', /Did you mean "acme\/web"\? To create the key nevertheless, send "allowUnknown/],
      [{ organization: 'globex', project: 'x' }, 'organization', / It has default\/default, acme\/web\. To create/],
      [{ organization: 'default' }, 'organization', /no project default\/web/],
      [{ organization: 'constructor', project: 'name' }, 'organization', /no project constructor\/name/],
    ] as const) {
      const thrown: unknown = await create(more).catch((error: unknown) => error);
      expect(thrown).to.include({ code: 'invalid_request', param });
      expect(thrown).to.have.property('message').that.matches(message);
    }
    expect(await table.list()).to.deep.equal([]);
    const { key } = await create({ organization: 'default', project: 'default' });
    expect(key).to.include({ organization: 'default', project: 'default' });
    expect(keys.projects()).to.deep.equal([
      { organization: 'default', project: 'default' },
      { organization: 'acme', project: 'web' },
    ]);
  });

  it('refuses to create or change a key that the configuration defines', async () => {
    expect(await codeOf(create({ name: 'alice' }))).to.equal('conflict');
    expect(await codeOf(keys.rotate('acme/web/alice', 0))).to.equal('conflict');
    expect(await codeOf(keys.revoke('acme/web/alice'))).to.equal('conflict');
    expect(await codeOf(create({ name: 'alice', project: 'shop', allowUnknownProject: true }))).to.equal(undefined);
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
    expect(await listAll(keys, { organization: 'acme' }))
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
