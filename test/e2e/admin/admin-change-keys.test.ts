import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListedKey } from '../../../core/tenancy/listed-key.ts';
import {
  askAdmin,
  becomes,
  createKey,
  json,
  listKeys,
  readJson,
  statusWith,
  type Issued,
} from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send, type HttpReply } from '../../support/http.ts';
import { entryOf } from '../../support/scene.ts';

const owner = { organization: 'acme', project: 'web' };
const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': entryOf('simulator/chat'), 'simulator/other': entryOf('simulator/other') },
  plugins: [{ use: 'auth', config: { failures: false } }, { use: 'rate-limit' }],
};

describe('changes of keys by the admin API', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway(settings);
  });
  after(() => gateway?.stop());
  const patch = (id: string, body: unknown, headers: Readonly<Record<string, string>> = json): Promise<HttpReply> =>
    askAdmin(gateway, 'PATCH', `/admin/keys/${id}`, body, headers);
  const change = async (id: string, body: object) =>
    readJson<ListedKey & { warnings: string[] }>(await patch(id, body));
  const ask = (secret: string, more: Readonly<Record<string, string>> = {}): Promise<HttpReply> =>
    send(gateway.url, {
      ...callOf('chat', 'simulator/chat'),
      headers: { ...json, authorization: `Bearer ${secret}`, ...more },
    });

  it('other models, limits and tags of a key apply within a second, and the rest of it stays', async () => {
    const { secret, warnings: _warnings, ...key } = await createKey(gateway, { name: 'bob', ...owner, losses: 'warn' });
    expect(await statusWith(gateway, secret)).to.equal(200);
    const more = { models: ['simulator/other'], tags: { team: 'search' }, metadata: { owner: 'Ann' } };
    expect(await change(key.id, more)).to.deep.equal({ ...key, ...more, warnings: [] });
    await becomes(gateway, secret, 404);
    expect(await statusWith(gateway, secret, 'simulator/other')).to.equal(200);
    await gateway.settled(2);
    expect(gateway.exchanges().at(-1)).to.deep.include({ tags: { team: 'search' } });
    expect(await change(key.id, { models: null, tags: null, metadata: null })).to.deep.equal({ ...key, warnings: [] });
    await becomes(gateway, secret, 200);
    expect(gateway.exchanges().at(-1)).to.not.have.property('tags');
  });

  it('tags of a key are those of its requests, whatever the client sends', async () => {
    const { secret } = await createKey(gateway, { name: 'tagged', ...owner, tags: { team: 'search', env: 'prod' } });
    const count = gateway.exchanges().length;
    expect((await ask(secret, { 'x-koine-tags': 'team=mine,feature=chat' })).status).to.equal(200);
    await gateway.settled(count + 1);
    expect(gateway.exchanges().at(-1)).to.deep.include({ tags: { team: 'search', env: 'prod', feature: 'chat' } });
  });

  it('a disabled key gets the same 401 as an expired one, until it is enabled', async () => {
    const [off, expired] = [
      await createKey(gateway, { name: 'off', ...owner }),
      await createKey(gateway, { name: 'over', ...owner }),
    ];
    await askAdmin(gateway, 'POST', `/admin/keys/${expired.id}/rotate`);
    expect(await change(off.id, { disabled: true }))
      .to.include({ disabled: true })
      .and.not.have.property('revoked');
    await becomes(gateway, off.secret, 401);
    await becomes(gateway, expired.secret, 401);
    expect((await ask(off.secret)).text).to.equal((await ask(expired.secret)).text);
    const rotated = await askAdmin(gateway, 'POST', `/admin/keys/${off.id}/rotate`);
    expect([rotated.status, readError(rotated).error.message]).to.deep.equal([
      409,
      `The key ${off.id} is disabled and cannot be rotated. Enable it first.`,
    ]);
    await change(off.id, { disabled: false });
    await becomes(gateway, off.secret, 200);
  });

  it('an expired key is valid again with a later end', async () => {
    const { id, secret } = await createKey(gateway, { name: 'again', ...owner });
    await askAdmin(gateway, 'POST', `/admin/keys/${id}/rotate`);
    await becomes(gateway, secret, 401);
    expect(await change(id, { expiresAt: '2999-01-31' })).to.include({ expiresAt: '2999-01-31T00:00:00.000Z' });
    await becomes(gateway, secret, 200);
    expect(await change(id, { expiresAt: null })).to.not.have.property('expiresAt');
  });

  it('a changed limit keeps what was used, and null goes back to the inherited limits', async () => {
    const { id, secret } = await createKey(gateway, {
      name: 'counted',
      ...owner,
      limits: [{ requests: 9, per: '1h' }],
    });
    const succeed = async (tries: number): Promise<number> => {
      let count = 0;
      for (let index = 0; index < tries; index += 1) count += Number((await statusWith(gateway, secret)) === 200);
      return count;
    };
    const limitTo = async (requests: number): Promise<void> => {
      await change(id, { limits: [{ requests, per: '1h' }] });
      // Keys are cached for one second.
      await delay(1_100);
    };
    expect(await succeed(3)).to.equal(3);
    await limitTo(5);
    expect(await succeed(4)).to.equal(2);
    await limitTo(6);
    expect(await succeed(3)).to.equal(1);
    expect(await change(id, { limits: null })).to.not.have.property('limits');
    await becomes(gateway, secret, 200);
  });

  it('a key that changed meanwhile is not changed, and the new tag is that of the next read', async () => {
    const { id } = await createKey(gateway, { name: 'seen', ...owner });
    const seen = String((await askAdmin(gateway, 'GET', `/admin/keys/${id}`)).headers['etag']);
    const both = await Promise.all(
      ['a', 'b'].map((note) => patch(id, { metadata: { note } }, { ...json, 'if-match': seen })),
    );
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
    const done = both.find(({ status }) => status === 200);
    expect((await askAdmin(gateway, 'GET', `/admin/keys/${id}`)).headers['etag']).to.equal(done?.headers['etag']);
  });

  it('a key of gateway.yaml is read-only, and the error names its place', async () => {
    const reply = await patch('acme%2Fweb%2Falice', { disabled: true });
    expect([reply.status, readError(reply).error.message]).to.deep.equal([
      409,
      'The key alice of acme/web is defined in the configuration (organizations.acme.projects.web.keys.alice). ' +
        'Change it there, and reload.',
    ]);
  });

  it('a revoked key cannot be changed', async () => {
    const { id } = await createKey(gateway, { name: 'gone', ...owner });
    await askAdmin(gateway, 'DELETE', `/admin/keys/${id}`);
    const reply = await patch(id, { disabled: false });
    expect([reply.status, readError(reply).error.message]).to.deep.equal([
      409,
      `The key ${id} is revoked and cannot be changed. Create a new one.`,
    ]);
  });

  it('an invalid change is a 400 that names the member', async () => {
    const { id } = await createKey(gateway, { name: 'kept', ...owner });
    for (const [body, param] of [
      [undefined, null],
      [{ limit: [] }, 'limit'],
      [{ models: 'simulator/*' }, 'models'],
      [{ tags: { team: '' } }, 'tags.team'],
      [{ expiresAt: '1999-01-31' }, 'expires'],
      [{ project: 'shop' }, 'project'],
    ] as const) {
      const reply = await patch(id, body);
      expect([reply.status, readError(reply).error.param], JSON.stringify(body)).to.deep.equal([400, param]);
    }
    expect((await patch('nobody00', {})).status).to.equal(404);
  });

  it('every change is logged with its author, without the values', async () => {
    const { id } = await createKey(gateway, { name: 'audited', ...owner });
    await change(id, { metadata: { note: 'not-in-the-log' } });
    const line = gateway.lines.findLast(({ fields }) => fields['call'] === 'PATCH /admin/keys/{id}')?.fields;
    expect(line).to.include({ who: 'loopback', status: 200, target: id });
    expect(line?.['after']).to.not.equal(line?.['before']);
    expect(JSON.stringify(gateway.lines)).to.not.include('not-in-the-log');
  });

  it('many keys are created at once, all or none', async () => {
    const bulk = (keys: unknown): Promise<HttpReply> => askAdmin(gateway, 'POST', '/admin/keys/bulk', { keys });
    const before = (await listKeys(gateway)).length;
    const many = Array.from({ length: 40 }, (_, index) => ({ name: `dev-${index}`, ...owner, tags: { team: 'a' } }));
    const { keys } = readJson<{ keys: readonly Issued[] }>(await bulk(many), 201);
    expect(keys.map(({ name }) => name)).to.deep.equal(many.map(({ name }) => name));
    expect(await statusWith(gateway, keys.at(-1)?.secret ?? '')).to.equal(200);
    for (const [bad, status, param] of [
      [[...many.slice(0, 2), { name: 'a b' }], 400, 'keys[2].name'],
      [
        [
          { name: 'new', ...owner },
          { name: 'alice', ...owner },
        ],
        409,
        'keys[1].name',
      ],
      [
        [
          { name: 'new', ...owner },
          { name: 'new', ...owner },
        ],
        400,
        'keys[1].name',
      ],
      [[], 400, 'keys'],
      ['all', 400, 'keys'],
    ] as const) {
      const reply = await bulk(bad);
      expect([reply.status, readError(reply).error.param], JSON.stringify(bad)).to.deep.equal([status, param]);
    }
    expect(await listKeys(gateway)).to.have.length(before + 40);
    expect(JSON.stringify(gateway.lines)).to.not.include(keys[0]?.secret.slice(-30));
  });
});
