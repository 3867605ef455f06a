import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { nameIssuer } from '../../core/canonical/text/issuer-name.ts';
import type { JsonObject } from '../../core/canonical/wire.ts';
import { askAdmin, json, readJson } from '../support/admin.ts';
import { callOf } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { readError, send, type HttpReply } from '../support/http.ts';
import { entryOf } from '../support/scene.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { signIn } from './sign-in.ts';

const TOKEN = 'admin-token-of-the-personal-keys';
const DAY = 86_400_000;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly expiresAt: string;
  readonly replaced?: Key;
}

describe('keys that people make for themselves', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  let url: string;
  let dora: string;
  let emil: string;
  const signInBoth = async (): Promise<void> => {
    ({ cookie: dora } = await signIn(url, 'dora'));
    ({ cookie: emil } = await signIn(url, 'emil'));
  };
  before(async () => {
    provider = await startProvider();
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat'), 'other/chat': entryOf('simulator/chat') },
      plugins: ['metrics', 'auth', 'rate-limit', 'ledger', 'dashboard'].map((use) => ({ use })),
      organizations: { acme: { projects: { sandbox: { limits: [{ requests: 100, per: '1h', each: 'user' }] } } } },
      admin: {
        port: 0,
        token: TOKEN,
        oidc: {
          issuer: provider.issuer,
          clientId: 'koine',
          clientSecret: 'provider-client-secret',
          roles: { staff: 'developer', guests: 'developer' },
        },
        personalKeys: {
          projects: { staff: 'acme/sandbox' },
          maxKeys: 3,
          maxLifetime: '30d',
          models: ['simulator/*'],
          limits: [{ requests: 3, per: '1h' }],
        },
      },
    });
    ({ url } = gateway.gateway.admin);
    await provider.configure({ redirectUris: [`${url}/admin/login/callback`] });
    await signInBoth();
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });

  /** As the script in docs/reference/admin.md. */
  const call = (cookie: string, method: string, path: string, body?: object): Promise<HttpReply> =>
    send(url, {
      method,
      path,
      headers: { ...json, cookie, 'x-koine-page': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const make = async (cookie: string, body: object): Promise<Key> => {
    const reply = await call(cookie, 'POST', '/admin/me/keys', body);
    expect(reply.status, reply.text).to.equal(201);
    return JSON.parse(reply.text) as Key;
  };
  const listOf = async (cookie: string): Promise<readonly Key[]> =>
    (JSON.parse((await call(cookie, 'GET', '/admin/me/keys')).text) as { readonly keys: readonly Key[] }).keys;
  const refusalOf = async (reply: Promise<HttpReply>): Promise<readonly [number, string]> => {
    const { status, text, ...rest } = await reply;
    return [status, readError({ status, text, ...rest }).error.message];
  };
  const use = async (secret: string, model = 'simulator/chat', headers: object = {}): Promise<number> => {
    const { path, body } = callOf('chat', model);
    const authorized = { ...json, authorization: `Bearer ${secret}`, ...headers };
    return (await send(gateway.url, { path, body, headers: authorized })).status;
  };
  afterEach(async () => {
    for (const cookie of [dora, emil])
      for (const { id } of await listOf(cookie)) await call(cookie, 'DELETE', `/admin/me/keys/${id}`);
  });

  it('a developer makes, uses, rotates and revokes a key, which is attributed to the person', async () => {
    expect(JSON.parse((await call(dora, 'GET', '/admin/me')).text)).to.deep.equal({
      name: 'dora@acme.example',
      role: 'developer',
      keys: {
        projects: ['acme/sandbox'],
        models: ['simulator/*'],
        maxKeys: 3,
        maxLifetime: '30d',
        available: ['simulator/chat'],
        port: Number(new URL(gateway.url).port),
        tls: false,
        limits: [{ requests: 3, per: '1h' }],
      },
    });
    const key = await make(dora, { name: 'one' });
    expect(key).to.include({
      owner: 'dora@acme.example',
      ownerId: `${provider.issuer} dora`,
      organization: 'acme',
      project: 'sandbox',
    });
    expect(Date.parse(key.expiresAt) - Date.now()).to.be.within(29 * DAY, 30 * DAY);
    expect(await use(key.secret, 'simulator/chat', { 'x-koine-user': 'another-user' })).to.equal(200);
    await gateway.settled(1);
    expect(gateway.exchanges().at(-1)).to.include({
      key_alias: 'personal:one',
      user: `owner:${nameIssuer(provider.issuer)}:dora`,
    });
    expect(await use(key.secret, 'other/chat')).to.equal(404);

    const rotated = JSON.parse(
      (await call(dora, 'POST', `/admin/me/keys/${key.id}/rotate`, { overlap: '1h' })).text,
    ) as Key;
    expect(Date.parse(rotated.expiresAt) - Date.now()).to.be.within(29 * DAY, 30 * DAY);
    expect(rotated.replaced?.id).to.equal(key.id);
    expect(await use(rotated.secret)).to.equal(200);
    expect(await use(key.secret), 'both keys share their limit').to.equal(429);
    expect((await call(dora, 'DELETE', `/admin/me/keys/${rotated.id}`)).status).to.equal(200);
    expect((await listOf(dora)).map(({ id }) => id)).to.deep.equal([key.id, rotated.id]);
  });

  it('operators see whose key it is and which limits it has, and take it over with another owner', async () => {
    const { id } = await make(dora, { name: 'three' });
    await make(emil, { name: 'two' });
    const ask = async (method: string, path: string, body?: object): Promise<HttpReply> =>
      askAdmin(gateway, method, path, body, { ...json, authorization: `Bearer ${TOKEN}` });
    const ownerOf = encodeURIComponent(`${provider.issuer} dora`);
    for (const owner of ['dora%40acme.example', ownerOf]) {
      const { keys } = JSON.parse((await ask('GET', `/admin/keys?owner=${owner}`)).text) as { keys: readonly Key[] };
      expect(keys.map(({ name }) => name))
        .to.include('one')
        .and.not.include('two');
    }
    const explained = await ask('POST', '/admin/explain', { key: id, model: 'simulator/chat', user: 'another-user' });
    expect(JSON.parse(explained.text)).to.have.deep.nested.property(
      'request.attribution.user',
      `owner:${nameIssuer(provider.issuer)}:dora`,
    );
    expect(explained.text).to.match(/"scope":"key"[^}]*"amount":3|"amount":3[^}]*"scope":"key"/);
    const { text } = await ask('PATCH', `/admin/keys/${id}`, { owner: null });
    expect(JSON.parse(text)).to.not.have.any.keys('owner', 'ownerId');
    expect((await listOf(dora)).map((key) => key.id)).to.not.include(id);
    expect((await call(dora, 'DELETE', `/admin/me/keys/${id}`)).status).to.equal(404);
  });

  it('a developer can call nothing else', async () => {
    for (const path of ['/admin/pages', '/', '/admin/me'])
      expect((await call(dora, 'GET', path)).status, path).to.equal(200);
    for (const path of [
      '/admin/keys',
      '/admin/requests',
      '/admin/exchanges',
      '/admin/usage',
      '/admin/limits',
      '/admin/config',
      '/admin/audit',
      '/admin/openapi.json',
      '/metrics',
      '/version',
    ]) {
      const [status, message] = await refusalOf(call(dora, 'GET', path));
      expect([path, status, /needs the role (viewer|editor|admin)/.test(message)]).to.deep.equal([path, 403, true]);
    }
    for (const [method, path] of [
      ['POST', '/admin/keys'],
      ['POST', '/admin/explain'],
      ['POST', '/admin/reload'],
    ] as const)
      expect((await call(dora, method, path, {})).status, path).to.equal(403);
  });

  it('the responses for a person match their description', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { text } = await askAdmin(gateway, 'GET', '/admin/openapi.json', undefined, {
      ...json,
      authorization: `Bearer ${TOKEN}`,
    });
    const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, JsonObject>> };
    const { id } = await make(dora, { name: 'one' });
    for (const [method, path, status, body] of [
      ['get', '/admin/me', '200'],
      ['get', '/admin/me/keys', '200'],
      ['post', '/admin/me/keys', '201', { name: 'one' }],
      ['post', '/admin/me/keys/{id}/rotate', '201', {}],
      ['delete', '/admin/me/keys/{id}', '200'],
    ] as const) {
      const reply = await call(dora, method.toUpperCase(), path.replace('{id}', id), body);
      const { responses } = (paths[path]?.[method] ?? {}) as {
        readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, JsonObject>> }>>;
      };
      const schema = responses[status]?.content['application/json']?.['schema'] as JsonObject;
      expect([String(reply.status), schema['type']], `${method} ${path}`).to.deep.equal([status, 'object']);
      expect(ajv.validate(schema, JSON.parse(reply.text)), `${method} ${path}: ${ajv.errorsText()}`).to.equal(true);
    }
  });

  it('every call of the listener needs at least the role viewer, except for pages and own keys', async () => {
    const reply = await askAdmin(gateway, 'GET', '/admin/openapi.json', undefined, {
      ...json,
      authorization: `Bearer ${TOKEN}`,
    });
    const { paths } = JSON.parse(reply.text) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-koine-role': string }>>>>;
    };
    const open = Object.entries(paths)
      .filter(([, calls]) => Object.values(calls).some((each) => each['x-koine-role'] === 'developer'))
      .map(([path]) => path)
      .filter((path) => !path.startsWith('/dashboard/'));
    expect(open.toSorted()).to.deep.equal([
      '/',
      '/admin/me',
      '/admin/me/keys',
      '/admin/me/keys/{id}',
      '/admin/me/keys/{id}/rotate',
      '/admin/me/requests',
      '/admin/me/sessions',
      '/admin/me/sessions/{id}',
      '/admin/me/usage',
      '/admin/pages',
      '/admin/playground',
    ]);
  });

  it('a developer cannot see, rotate or revoke the key of another person', async () => {
    const { id, secret } = await make(emil, { name: 'of-emil' });
    expect(await listOf(dora)).to.not.deep.include({ id });
    const unknown = await refusalOf(call(dora, 'DELETE', '/admin/me/keys/unknown0'));
    expect(unknown[0]).to.equal(404);
    expect(await refusalOf(call(dora, 'DELETE', `/admin/me/keys/${id}`))).to.deep.equal(unknown);
    expect(await refusalOf(call(dora, 'POST', `/admin/me/keys/${id}/rotate`, {}))).to.deep.equal(unknown);
    expect((await refusalOf(call(dora, 'POST', '/admin/me/keys', { name: 'of-emil' })))[0]).to.equal(409);
    expect(await use(secret)).to.equal(200);
  });

  it('a person without a verified address has keys of its own, and not those of the address', async () => {
    await make(dora, { name: 'one' });
    const gustav = (await signIn(url, 'gustav')).cookie;
    expect(JSON.parse((await call(gustav, 'GET', '/admin/me')).text)).to.include({ name: 'sub:gustav' });
    expect(await listOf(gustav)).to.deep.equal([]);
  });

  it('a developer cannot choose limits, owner, another project, more models or a later end', async () => {
    const later = new Date(Date.now() + 31 * DAY).toISOString();
    for (const [more, status, text] of [
      [{ limits: [] }, 400, '"limits" cannot be chosen for a personal key'],
      [{ owner: 'emil@acme.example' }, 400, '"owner" cannot be chosen'],
      [{ organization: 'acme' }, 400, '"organization" cannot be chosen'],
      [{ metadata: {} }, 400, '"metadata" cannot be chosen'],
      [{ project: 'acme/platform' }, 403, 'Your projects are acme/sandbox.'],
      [{ project: 'sandbox' }, 400, 'project must be one of your projects: acme/sandbox.'],
      [{ models: ['*'] }, 403, 'A personal key cannot allow "*". It can allow simulator/*, or less.'],
      [{ expires: later }, 400, 'key.expires must be at most 30d from now'],
      [{ name: '../x' }, 400, 'key.name'],
    ] as const) {
      const [code, message] = await refusalOf(call(dora, 'POST', '/admin/me/keys', { name: 'one', ...more }));
      expect([code, message.includes(text)], message).to.deep.equal([status, true]);
    }
  });

  it('a developer never has more keys than allowed, however many are requested at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call(emil, 'POST', '/admin/me/keys', { name: 'same' })),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).to.deep.equal([201, 201, 201, 409, 409, 409, 409, 409, 409, 409]);
    expect((await refusalOf(call(emil, 'POST', '/admin/me/keys', { name: 'same' })))[1]).to.include(
      'You have 3 valid keys, and a person can have 3. Revoke one first: same (',
    );
  });

  it('a person without a project can make no keys, and is given the reason', async () => {
    const flora = (await signIn(url, 'flora')).cookie;
    expect(JSON.parse((await call(flora, 'GET', '/admin/me')).text)).to.deep.equal({
      name: 'flora@acme.example',
      role: 'developer',
    });
    const [status, message] = await refusalOf(call(flora, 'POST', '/admin/me/keys', { name: 'one' }));
    expect([status, message]).to.deep.equal([
      403,
      'There is no project in which flora@acme.example can make keys. Ask an operator to add one of your values in the ' +
        'claim of admin.oidc.rolesClaim to admin.personalKeys.projects of gateway.yaml, and sign in again.',
    ]);
  });

  it('the admin token makes no personal keys', async () => {
    const bearer = { ...json, authorization: `Bearer ${TOKEN}` };
    for (const [method, path] of [
      ['GET', '/admin/me'],
      ['GET', '/admin/me/keys'],
      ['POST', '/admin/me/keys'],
    ] as const) {
      const reply = askAdmin(gateway, method, path, method === 'POST' ? { name: 'one' } : undefined, bearer);
      expect(await refusalOf(reply)).to.deep.equal([
        403,
        'Personal keys are for people who have signed in with admin.oidc. With the admin token, use /admin/keys.',
      ]);
    }
  });

  it('a tighter limit applies to keys that exist, and another mapping of projects ends the sessions', async () => {
    const bearer = { ...json, authorization: `Bearer ${TOKEN}` };
    const { file } = readJson<{ readonly file: string }>(
      await askAdmin(gateway, 'GET', '/admin/config', undefined, bearer),
    );
    const before = await readFile(file, 'utf8');
    const reload = async (text: string): Promise<void> => {
      await writeFile(file, text);
      expect((await askAdmin(gateway, 'POST', '/admin/reload', {}, bearer)).status).to.equal(200);
    };
    const { secret } = await make(dora, { name: 'tight' });
    try {
      await reload(before.replace('requests: 3', 'requests: 1'));
      expect((await call(dora, 'GET', '/admin/me')).text).to.include('"requests":1');
      expect([await use(secret), await use(secret)]).to.deep.equal([200, 429]);
      await reload(before.replace('staff: acme/sandbox', 'guests: acme/sandbox'));
      expect((await call(dora, 'GET', '/admin/me')).status).to.equal(401);
      ({ cookie: dora } = await signIn(url, 'dora'));
      expect((await call(dora, 'POST', '/admin/me/keys', { name: 'tight' })).status).to.equal(403);
      expect((await listOf(dora)).length, 'the keys of lost projects can be revoked').to.not.equal(0);
    } finally {
      await reload(before);
      await signInBoth();
    }
  });

  it('the audit log has each call of a developer, without the secret', async () => {
    const { id, secret } = await make(dora, { name: 'one' });
    await call(dora, 'DELETE', `/admin/me/keys/${id}`);
    const { text } = await askAdmin(gateway, 'GET', '/admin/audit?limit=2', undefined, {
      ...json,
      authorization: `Bearer ${TOKEN}`,
    });
    const { entries } = JSON.parse(text) as { readonly entries: readonly object[] };
    expect(entries[0]).to.include({
      actor: 'dora@acme.example',
      role: 'developer',
      action: 'DELETE /admin/me/keys/{id}',
      target: id,
    });
    expect(entries[1]).to.include({ action: 'POST /admin/me/keys', target: id });
    expect(text).to.not.include(secret);
    expect(JSON.stringify(gateway.lines)).to.not.include(secret);
  });
});

describe('the calls for own keys without admin.personalKeys', () => {
  it('return 404 and name the setting', async () => {
    const gateway = await startTestGateway({ providers: { simulator: { use: 'simulator' } } });
    try {
      for (const [method, path] of [
        ['GET', '/admin/me/keys'],
        ['POST', '/admin/me/keys'],
        ['DELETE', '/admin/me/keys/one'],
      ] as const) {
        const reply = await askAdmin(gateway, method, path, method === 'POST' ? {} : undefined, json);
        expect([reply.status, readError(reply).error.message]).to.deep.equal([
          404,
          'People cannot make keys at this gateway: gateway.yaml has no admin.personalKeys.',
        ]);
      }
    } finally {
      await gateway.stop();
    }
  });
});
