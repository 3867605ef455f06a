import { expect } from 'chai';
import { askAdmin, json, readJson } from '../support/admin.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { readError, send, type HttpReply } from '../support/http.ts';
import { entryOf } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { signIn } from './sign-in.ts';

const TOKEN = 'admin-token-of-the-playground';
const PATH = '/v1/chat/completions';
const CONFIGURED = 'configured-key-0123456789abcdef';
const SECRET_TEXT = 'the words of the prompt';

const chat = { model: 'simulator/chat', messages: [{ role: 'user', content: SECRET_TEXT }] };

describe('the playground of the admin listener', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  let url: string;
  /** An editor, a developer, and a viewer. */
  let dora: string;
  let emil: string;
  let flora: string;
  before(async () => {
    provider = await startProvider();
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: {
        'simulator/chat': { ...entryOf('simulator/chat'), price: { input: 1, output: 2 } },
        'other/chat': entryOf('simulator/chat'),
      },
      plugins: ['metrics', 'auth', 'rate-limit', 'ledger', 'dashboard'].map((use) => ({ use })),
      organizations: { acme: { projects: { web: { keys: { alice: { key: CONFIGURED } } }, sandbox: {} } } },
      admin: {
        port: 0,
        token: TOKEN,
        oidc: {
          issuer: provider.issuer,
          clientId: 'koine',
          clientSecret: 'provider-client-secret',
          roles: { platform: 'editor', staff: 'developer', guests: 'viewer' },
        },
        personalKeys: {
          projects: { staff: 'acme/sandbox' },
          models: ['simulator/*'],
          limits: [{ requests: 4, per: '1h' }],
        },
      },
    });
    ({ url } = gateway.gateway.admin);
    await provider.configure({ redirectUris: [`${url}/admin/login/callback`] });
    ({ cookie: dora } = await signIn(url, 'dora'));
    ({ cookie: emil } = await signIn(url, 'emil'));
    ({ cookie: flora } = await signIn(url, 'flora'));
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });

  const call = (cookie: string, method: string, path: string, body?: object, headers: object = {}) =>
    send(url, {
      method,
      path,
      headers: { ...json, cookie, 'x-koine-page': '1', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const attempt = (cookie: string, key: object, body: object = chat): Promise<HttpReply> =>
    call(cookie, 'POST', '/admin/playground', { ...key, path: PATH, body });
  const asToken = (body: object): Promise<HttpReply> =>
    askAdmin(gateway, 'POST', '/admin/playground', body, { ...json, authorization: `Bearer ${TOKEN}` });
  const make = async (cookie: string, name: string): Promise<string> =>
    readJson<{ id: string }>(await call(cookie, 'POST', '/admin/me/keys', { name }), 201).id;
  const expectRefused = (reply: HttpReply, message: RegExp): void => {
    expect(reply.status, reply.text).to.equal(403);
    expect(readError(reply).error.message).to.match(message);
  };

  it('a developer tries a model with a key of their own, streamed and with its cost, and it is audited', async () => {
    const id = await make(emil, 'laptop');
    const offer = readJson(await call(emil, 'GET', '/admin/playground'));
    expect(offer['keys']).to.deep.equal([
      { id, name: 'laptop', organization: 'acme', project: 'sandbox', models: ['simulator/chat'] },
    ]);
    expect(offer['others']).to.equal(false);
    const reply = await attempt(emil, { key: id }, { ...chat, stream: true });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers['content-type']).to.match(/^text\/event-stream/);
    expect(reply.text)
      .to.match(/^data: \{/m)
      .and.to.match(/^: x-koine-cost 0\.\d+$/m);
    const request = String(reply.headers['x-request-id']);
    await until('the exchange is logged', () => gateway.exchanges().some((line) => line['request_id'] === request));
    const line = gateway.exchanges().find((one) => one['request_id'] === request);
    expect(line).to.include({ key_alias: 'personal:laptop', project: 'sandbox', status: 200 });
    expect(line?.['user']).to.match(/^owner:/);
    const audit = await askAdmin(gateway, 'GET', '/admin/audit?limit=1', undefined, {
      authorization: `Bearer ${TOKEN}`,
    });
    const [entry] = readJson<{ entries: readonly Record<string, unknown>[] }>(audit).entries;
    expect(entry).to.deep.include({
      actor: 'emil@acme.example',
      action: 'POST /admin/playground',
      target: 'acme/sandbox/personal:laptop',
      after: { path: PATH, model: 'simulator/chat', request },
      status: 200,
    });
    expect(audit.text).to.not.include(SECRET_TEXT);
  });

  it('no person spends in the name of another one', async () => {
    const id = await make(emil, 'phone');
    const before = gateway.exchanges().length;
    expectRefused(await attempt(flora, { key: id }), /With the role viewer you can try keys of your own/);
    expectRefused(await attempt(dora, { key: id }), /belongs to another person/);
    expectRefused(await asToken({ key: id, path: PATH, body: chat }), /belongs to another person/);
    const named = { key: 'personal:phone', organization: 'acme', project: 'sandbox' };
    expectRefused(await attempt(dora, named), /belongs to another person/);
    const other = await make(dora, 'tablet');
    expectRefused(await attempt(emil, { key: other }), /With the role developer/);
    expect(gateway.exchanges()).to.have.length(before);
  });

  it('editors try keys of the database that belong to no person, and only admins those of the configuration', async () => {
    const service = readJson<{ id: string }>(
      await call(dora, 'POST', '/admin/keys', { name: 'service', organization: 'acme', project: 'web' }),
      201,
    );
    expect((await attempt(dora, { key: service.id })).status).to.equal(200);
    const configured = { key: 'alice', organization: 'acme', project: 'web' };
    expectRefused(await attempt(dora, configured), /with the role admin/);
    // A developer does not learn which names exist.
    const [known, unknown] = [await attempt(emil, configured), await attempt(emil, { ...configured, key: 'bob' })];
    expect(known.text).to.equal(unknown.text);
    expect((await asToken({ ...configured, path: PATH, body: chat })).status).to.equal(200);
  });

  it('the limits of the key apply, and a refusal reaches the page as the client gets it', async () => {
    const id = await make(emil, 'limited');
    for (let index = 0; index < 4; index += 1) expect((await attempt(emil, { key: id })).status).to.equal(200);
    const refused = await attempt(emil, { key: id });
    expect(refused.status).to.equal(429);
    expect(readError(refused).error.message).to.match(/limit/i);
    const other = await make(emil, 'narrow');
    const forbidden = await attempt(emil, { key: other }, { ...chat, model: 'other/chat' });
    expect(forbidden.status).to.be.within(403, 404);
  });

  it('a revoked key cannot be tried', async () => {
    const id = await make(emil, 'gone');
    await call(emil, 'DELETE', `/admin/me/keys/${id}`);
    expectRefused(await attempt(emil, { key: id }), /keys of your own/);
  });

  it('a page of another site cannot send a request with the session', async () => {
    const body = { key: 'x', path: PATH, body: chat };
    const without = await call(dora, 'POST', '/admin/playground', body, { 'x-koine-page': '' });
    expectRefused(without, /x-koine-page/);
    const foreign = await call(dora, 'POST', '/admin/playground', body, { origin: 'https://evil.example' });
    expectRefused(foreign, /another origin/);
    const form = await call(dora, 'POST', '/admin/playground', body, { 'content-type': 'text/plain' });
    expect(form.status).to.equal(415);
  });

  it('each wrong member of the body is named', async () => {
    const expectInvalid = async (body: object, param: string): Promise<void> => {
      const reply = await call(dora, 'POST', '/admin/playground', body);
      expect(reply.status, reply.text).to.equal(400);
      expect(readError(reply).error).to.include({ param });
    };
    await expectInvalid({ key: 'x', path: '/v1/nothing', body: chat }, 'path');
    await expectInvalid({ key: 'x', path: '/v1/models', body: chat }, 'path');
    await expectInvalid({ key: 1, path: PATH, body: chat }, 'key');
    await expectInvalid({ path: PATH, body: chat }, 'key');
    await expectInvalid({ key: 'x', path: PATH, body: 'text' }, 'body');
    await expectInvalid({ key: 'x', path: PATH, body: chat, secret: 'x' }, 'secret');
  });

  it('a grant that was not issued names no caller', async () => {
    const headers = { ...json, 'x-koine-grant': '0'.repeat(64) };
    const reply = await send(gateway.url, { path: PATH, body: JSON.stringify(chat), headers });
    expect(reply.status).to.equal(401);
  });
});
