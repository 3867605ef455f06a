import { expect } from 'chai';
import type { PersonalKeysConfig } from '../../../core/config/admin-config.ts';
import type { ModelConfig } from '../../../core/config/gateway-config.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { openDatabase, type Database } from '../../../core/services/database/database.ts';
import { gatewayTables } from '../../../core/services/database/schema.ts';
import { digestKey } from '../../../core/tenancy/key-format.ts';
import { createKeyRegister, type KeyRegister } from '../../../core/tenancy/key-register.ts';
import { createKeyTable, type KeyTable } from '../../../core/tenancy/key-table.ts';
import { PersonalKeys, type KeyOwner, type PersonalRequest } from '../../../core/tenancy/personal-keys.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { configureKey, configureOrganizations, listAll } from './tenancy-setup.ts';

const DAY = 86_400_000;
const model: ModelConfig = { targets: [], capabilities: {} };
const rules: PersonalKeysConfig = {
  projects: { '*': 'acme/web' },
  maxKeys: 3,
  maxLifetime: 90 * DAY,
  models: ['openai/*', 'simulator/chat'],
};
const dora: KeyOwner = { name: 'dora@acme.example', id: 'https://login.example.com d1', projects: ['acme/web'] };
const emil: KeyOwner = { name: 'emil@acme.example', id: 'https://login.example.com e1', projects: ['acme/web'] };
const requestOf = (name: string, more: Partial<PersonalRequest> = {}): PersonalRequest => ({
  name,
  organization: 'acme',
  project: 'web',
  models: [],
  ...more,
});

describeOnBoth('PersonalKeys', ({ fresh }) => {
  let url: string;
  let database: Database;
  let table: KeyTable;
  let register: KeyRegister;
  let keys: PersonalKeys;
  let now: number;
  const clock = { now: () => now };
  const config = {
    organizations: configureOrganizations({ ci: configureKey({ key: 'a-secret' }) }),
    models: { 'openai/gpt': model, 'simulator/chat': model },
  };
  const open = (own: Partial<PersonalKeysConfig> = {}, on: KeyTable = table): PersonalKeys =>
    new PersonalKeys({ config, rules: { ...rules, ...own }, table: on, register, clock });
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 23);
    url = await fresh();
    database = await openDatabase(url, gatewayTables);
    table = createKeyTable(database);
    register = createKeyRegister({ config, table, clock });
    keys = open();
  });
  afterEach(() => database.destroy());

  const make = (name: string, owner = dora): Promise<string> =>
    keys.create(owner, requestOf(name)).then(({ key }) => key.id);
  const refusalOf = async (action: Promise<unknown>): Promise<readonly unknown[]> => {
    try {
      await action;
      return ['done'];
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      return [thrown.code, thrown.param, thrown.message];
    }
  };
  const codeOf = async (action: Promise<unknown>): Promise<unknown> => (await refusalOf(action))[0];

  it('gives a person a key with all models and the lifetime that are allowed', async () => {
    const { key, secret } = await keys.create(dora, requestOf('laptop'));
    expect(key).to.deep.include({
      name: 'laptop',
      owner: 'dora@acme.example',
      ownerId: 'https://login.example.com d1',
      models: ['openai/*', 'simulator/chat'],
      expiresAt: new Date(now + 90 * DAY).toISOString(),
    });
    expect((await table.find(digestKey(secret)))?.caller).to.deep.equal({
      key: 'personal:laptop',
      project: 'web',
      organization: 'acme',
      models: ['openai/*', 'simulator/chat'],
      user: 'owner:login.example.com:d1',
      personal: true,
    });
  });

  it('lets a person allow less, and never more', async () => {
    for (const models of [['openai/gpt*'], ['simulator/chat'], ['openai/*']])
      expect((await keys.create(dora, requestOf('one', { models }))).key.models).to.deep.equal(models);
    await Promise.all((await keys.list(dora)).map(({ id }) => keys.revoke(dora, id)));
    for (const models of [['*'], ['simulator/*'], ['openai/gpt', 'anthropic/x'], ['openai'], ['o*']])
      expect(await refusalOf(keys.create(dora, requestOf('one', { models }))), models.join()).to.deep.equal([
        'permission_denied',
        'models',
        `A personal key cannot allow ${JSON.stringify(models.at(-1))}. It can allow openai/*, simulator/chat, or less.`,
      ]);
    const latest = now + 90 * DAY;
    expect(await codeOf(keys.create(dora, requestOf('one', { expiresAt: latest + 1 })))).to.equal('invalid_request');
    expect(await codeOf(keys.create(dora, requestOf('one', { expiresAt: now })))).to.equal('invalid_request');
    expect(await codeOf(keys.create(dora, requestOf('one', { expiresAt: latest })))).to.equal('done');
    expect(await codeOf(keys.create(dora, requestOf('one', { project: 'lab' })))).to.equal('permission_denied');
    expect(await codeOf(keys.create({ ...dora, projects: [] }, requestOf('one')))).to.equal('permission_denied');
  });

  it('never gives a person more valid keys than allowed, however many are requested at once', async () => {
    const other = await openDatabase(url, gatewayTables);
    try {
      const both = [keys, open({}, createKeyTable(other))];
      const codes = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => codeOf(both[index % 2]!.create(dora, requestOf('one')))),
      );
      expect(codes.toSorted()).to.deep.equal([...Array(7).fill('conflict'), ...Array(3).fill('done')]);
    } finally {
      await other.destroy();
    }
    expect(await keys.list(dora)).to.have.length(3);
    const [code, param, message] = await refusalOf(keys.create(dora, requestOf('one')));
    expect([code, param]).to.deep.equal(['conflict', 'name']);
    expect(message).to.match(/^You have 3 valid keys, and a person can have 3\. Revoke one first: one \(\w+\), /);
    expect(await codeOf(keys.create(emil, requestOf('two')))).to.equal('done');
  });

  it('frees a place when a key is revoked or ends', async () => {
    for (const name of ['one', 'two', 'three']) await make(name);
    const [first] = await keys.list(dora);
    await keys.revoke(dora, first?.id ?? '');
    expect(await codeOf(make('one'))).to.equal('done');
    expect(await codeOf(make('one'))).to.equal('conflict');
    now += 90 * DAY;
    expect(await codeOf(make('one'))).to.equal('done');
  });

  it('gives no fresh limits for a new name, until an old one is unused for 31 days', async () => {
    for (const name of ['one', 'two', 'three']) {
      now += 1;
      await keys.revoke(dora, await make(name));
    }
    const [code, , message] = await refusalOf(make('four'));
    expect([code, message]).to.deep.equal([
      'conflict',
      'Your keys had 3 different names in the last 31 days, and a person can use 3: limits belong to the name of a ' +
        'key. Use one of these names again: acme/web/one, acme/web/two, acme/web/three.',
    ]);
    expect(await codeOf(make('two'))).to.equal('done');
    now += 31 * DAY;
    expect(await codeOf(make('four'))).to.equal('done');
  });

  it('refuses the name of a key of another person, whose limits it would share', async () => {
    await make('laptop', emil);
    await register.create({ name: 'app', organization: 'acme', project: 'web', models: [] });
    for (const name of ['laptop', 'app', 'ci']) expect(await codeOf(make(name)), name).to.equal('conflict');
    const elsewhere = { ...dora, projects: ['acme/lab'] };
    expect(await codeOf(keys.create(elsewhere, requestOf('laptop', { project: 'lab' })))).to.equal('done');
  });

  it('knows a person by issuer and subject: a successor with the same name has none of the keys', async () => {
    const id = await make('laptop');
    const successor = { ...dora, id: 'https://login.example.com d2' };
    const sneaky = { ...emil, id: dora.name, name: dora.id };
    for (const other of [successor, sneaky, emil]) {
      expect(await keys.list(other)).to.deep.equal([]);
      const unknown = await refusalOf(keys.revoke(other, 'unknown0'));
      expect(await refusalOf(keys.rotate(other, id, 0))).to.deep.equal(unknown);
      expect(await refusalOf(keys.revoke(other, id))).to.deep.equal(unknown);
    }
    const renamed = { ...dora, name: 'dora.new@acme.example' };
    expect((await keys.list(renamed)).map((key) => key.id)).to.deep.equal([id]);
    expect((await keys.rotate(renamed, id, 0)).key.owner).to.equal('dora.new@acme.example');
  });

  it('rotates a key for its lifetime, with its settings, and keeps its owner', async () => {
    const { key } = await keys.create(dora, requestOf('one', { models: ['openai/gpt'], expiresAt: now + 7 * DAY }));
    await register.change(key.id, () => ({ limits: [] }));
    now += 5 * DAY;
    const { key: next, replaced } = await keys.rotate(dora, `koine_${key.id}`, DAY);
    expect(next).to.deep.include({
      name: 'one',
      ownerId: dora.id,
      models: ['openai/gpt'],
      limits: [],
      expiresAt: new Date(now + 7 * DAY).toISOString(),
    });
    expect(replaced.after.expiresAt).to.equal(new Date(now + DAY).toISOString());
    await register.change(next.id, () => ({ expiresAt: now + 1_000 * DAY }));
    const last = await keys.rotate(dora, next.id, 0);
    expect(last.key.expiresAt).to.equal(new Date(now + 90 * DAY).toISOString());
  });

  it('rotates no key beyond what the person can have now', async () => {
    const id = await make('one');
    expect(await codeOf(keys.rotate({ ...dora, projects: ['acme/lab'] }, id, 0))).to.equal('permission_denied');
    expect(await codeOf(open({ models: ['simulator/*'] }).rotate(dora, id, 0))).to.equal('permission_denied');
    await register.change(id, () => ({ disabled: true }));
    expect((await refusalOf(keys.rotate(dora, id, 0)))[2]).to.include('Ask an operator to enable it');
    await keys.revoke(dora, id);
    expect(await codeOf(keys.rotate(dora, id, 0))).to.equal('conflict');
  });

  it('needs a free place to rotate with an overlap, and none without', async () => {
    const id = await make('one');
    for (const name of ['two', 'three']) await make(name);
    expect(await codeOf(keys.rotate(dora, id, DAY))).to.equal('conflict');
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(keys.rotate(dora, id, 0))));
    expect(codes.toSorted()).to.deep.equal([...Array(4).fill('conflict'), 'done']);
    const valid = (await table.list()).filter(({ expiresAt = 0 }) => expiresAt > now);
    expect(valid.map(({ name }) => name).toSorted()).to.deep.equal(['one', 'three', 'two']);
  });

  it('replaces a key once, however many rotations are requested at once', async () => {
    const id = await make('one');
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(keys.rotate(dora, id, 0))));
    expect(codes.toSorted()).to.deep.equal([...Array(4).fill('conflict'), 'done']);
  });

  it('keeps a key of a person with the person when an operator rotates it, and not when the owner changes', async () => {
    const id = await make('one');
    const { key } = await register.rotate(id, 0);
    expect(key).to.deep.include({ owner: dora.name, ownerId: dora.id });
    await register.change(key.id, () => ({ owner: dora.name, tags: { team: 'web' } }));
    expect((await keys.list(dora)).map((each) => each.id)).to.include(key.id);
    const { after } = await register.change(key.id, () => ({ owner: 'team-web' }));
    expect([after.owner, after.ownerId]).to.deep.equal(['team-web', undefined]);
    expect(await codeOf(keys.revoke(dora, key.id))).to.equal('not_found');
  });

  it('lists the keys of a person for operators, by name and by id', async () => {
    await make('one');
    await make('two', emil);
    for (const owner of [dora.name, dora.id])
      expect((await listAll(register, { owner })).map(({ name }) => name)).to.deep.equal(['one']);
  });

  it('lists revoked keys and keys that have ended for 31 days', async () => {
    const id = await make('one');
    await keys.revoke(dora, id);
    now += 31 * DAY - 1;
    expect((await keys.list(dora)).map((key) => [key.id, key.revoked])).to.deep.equal([[id, true]]);
    now += 1;
    expect(await keys.list(dora)).to.deep.equal([]);
  });
});
