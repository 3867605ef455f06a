import { expect } from 'chai';
import { askAdmin, becomes, createKey, json, listKeys, readJson, statusWith } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send } from '../../support/http.ts';
import { entryOf } from '../../support/scene.ts';

const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': entryOf('simulator/chat'), 'simulator/other': entryOf('simulator/other') },
};

describe('keys in the admin API', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway(settings);
  });
  after(() => gateway.stop());
  const owner = { organization: 'acme', project: 'web' };
  const auditOf = (call: string) =>
    gateway.lines
      .filter(({ text, fields }) => text === 'admin call' && fields['call'] === call)
      .map(({ fields }) => fields);

  it('a created key works at once, for its models only', async () => {
    const key = await createKey(gateway, {
      name: 'bob',
      ...owner,
      models: ['simulator/chat'],
      limits: [{ requests: 60, per: '1m' }],
      expires: '2999-01-31',
    });
    expect(key).to.deep.include({
      name: 'bob',
      ...owner,
      models: ['simulator/chat'],
      limits: [{ requests: 60, per: '1m' }],
      disabled: false,
      expiresAt: '2999-01-31T00:00:00.000Z',
      origin: 'database',
      warnings: [],
    });
    expect(key.secret.startsWith(`${key.prefix}_`)).to.equal(true);
    expect(await statusWith(gateway, key.secret)).to.equal(200);
    expect(await statusWith(gateway, key.secret, 'simulator/other')).to.equal(404);
  });

  it('a key can be created without limits', async () => {
    const { secret } = await createKey(gateway, { name: 'late', ...owner });
    await becomes(gateway, secret, 200);
  });

  it('a revoked key gets 401 within a second', async () => {
    const { id, secret } = await createKey(gateway, { name: 'gone', ...owner });
    expect(await statusWith(gateway, secret)).to.equal(200);
    const revoked = readJson(await askAdmin(gateway, 'DELETE', `/admin/keys/${id}`));
    expect(revoked).to.deep.include({ id, disabled: true });
    await becomes(gateway, secret, 401);
    expect(readJson(await askAdmin(gateway, 'DELETE', `/admin/keys/${id}`))).to.deep.equal(revoked);
  });

  it('a rotated key works beside the new one for the overlap, and no longer', async () => {
    const old = await createKey(gateway, { name: 'turn', ...owner, models: ['simulator/*'] });
    expect(await statusWith(gateway, old.secret)).to.equal(200);
    const reply = await askAdmin(gateway, 'POST', `/admin/keys/${old.id}/rotate`, { overlap: '2s' });
    const fresh = readJson<typeof old & { replaced: typeof old }>(reply, 201);
    expect(fresh).to.deep.include({ name: 'turn', models: ['simulator/*'] });
    expect(fresh.replaced.id).to.equal(old.id);
    expect(await statusWith(gateway, fresh.secret)).to.equal(200);
    expect(await statusWith(gateway, old.secret)).to.equal(200);
    await becomes(gateway, old.secret, 401);
    expect(await statusWith(gateway, fresh.secret)).to.equal(200);
  });

  it('a rotation without a body ends the old key within a second', async () => {
    const old = await createKey(gateway, { name: 'turn-now', ...owner });
    expect(await statusWith(gateway, old.secret)).to.equal(200);
    expect((await askAdmin(gateway, 'POST', `/admin/keys/${old.id}/rotate`)).status).to.equal(201);
    await becomes(gateway, old.secret, 401);
  });

  it('keys of the configuration are listed first, read-only, without digest or secret', async () => {
    const [alice, ...others] = await listKeys(gateway);
    expect(alice).to.deep.equal({
      id: 'acme/web/alice',
      name: 'alice',
      ...owner,
      models: [],
      disabled: false,
      origin: 'configuration',
      vendorState: 'allow',
    });
    expect(others.every(({ origin }) => origin === 'database')).to.equal(true);
    for (const [method, path, body] of [
      ['POST', '/admin/keys', { name: 'alice', ...owner }],
      ['POST', '/admin/keys/acme%2Fweb%2Falice/rotate', {}],
      ['DELETE', '/admin/keys/acme%2Fweb%2Falice', undefined],
    ] as const) {
      const reply = await askAdmin(gateway, method, path, body);
      expect([reply.status, readError(reply).error.code], path).to.deep.equal([409, 'conflict']);
      expect(readError(reply).error.message).to.include('The key alice of acme/web is defined in the configuration');
    }
  });

  it('keys are listed by organization and project', async () => {
    const { id } = await createKey(gateway, { name: 'elsewhere', organization: 'globex', allowUnknownProject: true });
    expect((await listKeys(gateway, '?organization=globex')).map((key) => key.id)).to.deep.equal([id]);
    expect(await listKeys(gateway, '?organization=globex&project=none')).to.deep.equal([]);
    for (const call of ['/admin/keys?organization=', '/admin/keys?organization=globex&project=']) {
      const reply = await askAdmin(gateway, 'GET', call);
      expect([reply.status, readError(reply).error.param], call).to.deep.equal([
        400,
        call.endsWith('project=') ? 'project' : 'organization',
      ]);
      expect(readError(reply).error.message).to.include('Give it a value, or leave it out.');
    }
    const unknown = await askAdmin(gateway, 'GET', '/admin/keys?projekt=web');
    expect([unknown.status, readError(unknown).error.param]).to.deep.equal([400, 'projekt']);
    expect(readError(unknown).error.message).to.equal(
      'Unknown parameter; the parameters are organization, project, owner, find, state, sort, limit, cursor.',
    );
    expect((await listKeys(gateway, '?project=web')).every(({ project }) => project === 'web')).to.equal(true);
  });

  it('an invalid key request gets 400 that names the member', async () => {
    for (const [body, param] of [
      [{}, 'name'],
      [{ name: 'a/b' }, 'name'],
      [{ name: 'x', limits: [{ requests: 0, per: '1m' }] }, 'limits[0].requests'],
      [{ name: 'x', expires: '1999-01-01' }, 'expires'],
    ] as const) {
      const reply = await askAdmin(gateway, 'POST', '/admin/keys', body);
      expect([reply.status, readError(reply).error.param], JSON.stringify(body)).to.deep.equal([400, param]);
    }
    const endless = await send(gateway.gateway.admin.url, {
      path: '/admin/keys',
      headers: json,
      body: '{"name":"x","limits":[{"requests":9223372036854775807,"per":"1m"}]}',
    });
    expect([endless.status, readError(endless).error.message]).to.deep.equal([
      400,
      'limits[0].requests must be at most 9007199254740991.',
    ]);
    const { id } = await createKey(gateway, { name: 'stays', ...owner });
    for (const [body, param] of [
      [{ overlap: 'a while' }, 'overlap'],
      [{ overlap: 60 }, 'overlap'],
      [{ overlay: '1h' }, 'overlay'],
    ] as const)
      expect(readError(await askAdmin(gateway, 'POST', `/admin/keys/${id}/rotate`, body)).error.param).to.equal(param);
    expect((await askAdmin(gateway, 'DELETE', '/admin/keys/00000000')).status).to.equal(404);
  });

  it('a key of an organization that is not configured is refused, or accepted with a warning', async () => {
    const key = { name: 'first', organization: 'initech' };
    const reply = await askAdmin(gateway, 'POST', '/admin/keys', key);
    expect([reply.status, readError(reply).error.param]).to.deep.equal([400, 'organization']);
    const several = await askAdmin(gateway, 'POST', '/admin/keys/bulk', { keys: [{ ...key, ...owner }, key] });
    expect([several.status, readError(several).error.param]).to.deep.equal([400, 'keys[1].organization']);
    expect((await createKey(gateway, { ...key, allowUnknownProject: true })).warnings).to.deep.equal([
      'The organization initech is not in the configuration, so it has no limits of its own.',
    ]);
  });

  it("a page of another site can do nothing, and this listener's own can", async () => {
    const before = (await listKeys(gateway)).length;
    const evil = { origin: 'https://evil.example' };
    const body = JSON.stringify({ name: 'evil' });
    const { url } = gateway.gateway.admin;
    const tries = [
      { method: 'POST', headers: { ...evil, 'content-type': 'text/plain' } },
      { method: 'POST', headers: { ...evil, ...json } },
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { method: 'POST', headers: { ...json, host: 'evil.example' } },
    ];
    for (const one of tries)
      expect((await send(url, { path: '/admin/keys', body, ...one })).status, JSON.stringify(one)).to.be.oneOf([
        403, 415,
      ]);
    expect(await listKeys(gateway)).to.have.length(before);
    const own = await send(url, {
      method: 'POST',
      path: '/admin/keys',
      body: JSON.stringify({ name: 'own' }),
      headers: { ...json, origin: url },
    });
    expect(own.status).to.equal(201);
  });

  it('every change of a key is logged with its author and its key', async () => {
    const { id } = await createKey(gateway, { name: 'audited', ...owner });
    await askAdmin(gateway, 'DELETE', `/admin/keys/${id}`);
    const made = auditOf('POST /admin/keys').at(-1);
    const revoked = auditOf('DELETE /admin/keys/{id}').at(-1);
    expect(made).to.include({ who: 'loopback', address: '127.0.0.1', status: 201, target: id });
    expect(revoked).to.include({ who: 'loopback', status: 200, target: id, before: made?.['after'] });
    expect(revoked?.['after'])
      .to.match(/^[0-9a-f]{16}$/)
      .and.not.equal(revoked?.['before']);
  });

  it('the log contains no secret of a created key', async () => {
    const { id, secret } = await createKey(gateway, { name: 'quiet', ...owner });
    await statusWith(gateway, secret);
    const second = readJson<{ secret: string }>(
      await askAdmin(gateway, 'POST', `/admin/keys/${id}/rotate`),
      201,
    ).secret;
    await askAdmin(gateway, 'DELETE', `/admin/keys/${secret}`);
    await askAdmin(gateway, 'POST', `/admin/keys/${second}/rotate`, { overlap: secret });
    await askAdmin(gateway, 'POST', '/admin/keys', { name: secret });
    const said = JSON.stringify(gateway.lines) + JSON.stringify(await listKeys(gateway));
    for (const one of [secret, second]) expect(said).to.not.include(one.slice(one.lastIndexOf('_') + 1, -6));
  });
});

describe('the admin API with a token', () => {
  it('requests without the token are refused, and the audit names its holder', async () => {
    const gateway = await startTestGateway({ ...settings, admin: { port: 0, token: 'admin-token-0123456789' } });
    try {
      for (const [method, path] of [
        ['GET', '/admin/keys'],
        ['POST', '/admin/keys'],
        ['DELETE', '/admin/keys/x'],
        ['POST', '/admin/explain'],
      ] as const)
        expect((await askAdmin(gateway, method, path)).status, path).to.equal(401);
      const reply = await askAdmin(
        gateway,
        'POST',
        '/admin/keys',
        { name: 'bob' },
        { ...json, authorization: 'Bearer admin-token-0123456789' },
      );
      expect(reply.status).to.equal(201);
      expect(gateway.lines.find(({ text }) => text === 'admin call')?.fields).to.include({ who: 'token' });
      expect(JSON.stringify(gateway.lines)).to.not.include('admin-token');
    } finally {
      await gateway.stop();
    }
  });
});
