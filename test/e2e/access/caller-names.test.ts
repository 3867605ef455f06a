import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startIssuer, type Issuer } from '../../plugins/auth-jwt/issuer.ts';
import { askAdmin, json, readJson } from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send, type HttpReply } from '../../support/http.ts';
import { entryOf } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const MODEL = 'simulator/chat';
const REMOTE = 'secret-of-the-key-service-0123456789';

/** A key service whose only key has the name of a key in the configuration. */
const startKeyService = async (): Promise<Server> => {
  const caller = { active: true, organization: 'acme', project: 'web', key: 'low', user: 'dora' };
  const service = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(caller)),
  );
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  return service;
};

describe('names of callers that tokens and key services choose', () => {
  let issuer: Issuer;
  let service: Server;
  let gateway: TestGateway;

  beforeEach(async () => {
    issuer = await startIssuer();
    service = await startKeyService();
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { [MODEL]: entryOf(MODEL) },
      plugins: [
        {
          use: 'auth-jwt',
          config: {
            issuer: issuer.url,
            audience: 'koine-api',
            claims: { user: 'name' },
            defaults: { organization: 'acme', project: 'web' },
          },
        },
        {
          use: 'auth',
          config: { remote: { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/check` } },
        },
        { use: 'rate-limit' },
        { use: 'response-cache', config: { shared: 'key' } },
        { use: 'ledger' },
      ],
      organizations: {
        acme: {
          projects: {
            web: {
              limits: [{ requests: 3, per: '1h', each: 'user' }],
              keyLimits: [{ requests: 2, per: '1h' }],
              keys: { low: { key: KEY } },
            },
          },
        },
      },
    });
  });
  afterEach(async () => {
    await gateway?.stop();
    await issuer.stop();
    service.close();
  });

  let asked = 0;
  const ask = (key: string, more: Readonly<Record<string, unknown>> = {}, headers = {}): Promise<HttpReply> => {
    const messages = [{ role: 'user', content: `Question ${(asked += 1)}` }];
    return send(gateway.url, {
      ...callOf('chat', MODEL, { more: { messages, ...more } }),
      headers: { ...json, authorization: `Bearer ${key}`, ...headers },
    });
  };
  const statusesOf = async (key: string, count: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push((await ask(key)).status);
    return statuses;
  };
  const lastRow = async (count: number): Promise<Readonly<Record<string, unknown>>> => {
    await gateway.settled(count);
    return gateway.exchanges().at(-1)!;
  };
  const spaced = (name: string): string => `jwt:${issuer.url.replace('http://', 'http~')}:${name}`;

  it('callers of the same name share no limit: a key, a token and a key service', async () => {
    for (const key of [await issuer.sign({ sub: 'low', name: 'dora' }), KEY, REMOTE])
      expect(await statusesOf(key, 3), key.slice(0, 8)).to.deep.equal([200, 200, 429]);
  });

  it('the access log and the ledger have the space of each caller', async () => {
    const names: unknown[] = [];
    for (const key of [await issuer.sign({ sub: 'low', name: 'dora' }), REMOTE, KEY]) {
      await ask(key);
      const { key_alias: alias, user } = await lastRow(names.length + 1);
      names.push([alias, user]);
    }
    expect(names).to.deep.equal([
      [spaced('low'), spaced('dora')],
      ['remote:low', 'remote:dora'],
      ['low', undefined],
    ]);
    const path = `acme/web/${spaced('low')}`;
    const listed = async (): Promise<readonly unknown[]> => {
      const reply = await askAdmin(gateway, 'GET', `/admin/usage?by=key&key=${encodeURIComponent(path)}`);
      return readJson<{ readonly lines: readonly unknown[] }>(reply).lines;
    };
    await until('its row', async () => (await listed()).length > 0, 50);
    expect(await listed()).to.have.length(1);
    expect((await listed())[0]).to.include({ key: path });
  });

  it('a client cannot name the user of a token as its own', async () => {
    const user = spaced('dora');
    const dora = (sub: string): Promise<string> => issuer.sign({ sub, name: 'dora' });
    expect(await statusesOf(await dora('first'), 2)).to.deep.equal([200, 200]);
    const wide = user.replace('jwt', 'ｊｗｔ').replace(':', '：');
    const spellings = [user, user.toUpperCase(), ` ${user}`, wide, `jw\u200Bt${user.slice(3)}`];
    for (const [index, name] of spellings.entries()) {
      const key = await issuer.sign({ sub: `other${index}`, name: 'emil' });
      await ask(key, { user: name });
      expect((await lastRow(3 + index))['user']).to.equal(spaced('emil'));
    }
    await ask(KEY, { user: spellings[3] });
    await ask(KEY, {}, { 'x-koine-user': user });
    const { user: recorded } = await lastRow(4 + spellings.length);
    expect(recorded).to.match(/^sha256:[0-9a-f]{32}$/);
    expect(await statusesOf(await dora('second'), 2)).to.deep.equal([200, 429]);
  });

  it('a response in the cache of one caller is never that of another caller of the same name', async () => {
    const same = { messages: [{ role: 'user', content: 'The same question' }], temperature: 0 };
    const first = await ask(KEY, same);
    const token = await issuer.sign({ sub: 'low', name: 'dora' });
    const replies = [first, await ask(KEY, same), await ask(token, same), await ask(REMOTE, same)];
    expect(replies.map(({ headers }) => headers['x-koine-cache'])).to.deep.equal(['miss', 'hit', 'miss', 'miss']);
  });

  it('koine explain and GET /admin/explain show the limits of a caller by token', async () => {
    await statusesOf(await issuer.sign({ sub: 'low', name: 'dora' }), 2);
    const request = { key: spaced('low'), model: MODEL, user: spaced('dora') };
    const vague = await askAdmin(gateway, 'POST', '/admin/explain', request);
    expect([vague.status, readError(vague).error.message]).to.deep.include(400);
    const reply = await askAdmin(gateway, 'POST', '/admin/explain', {
      ...request,
      organization: 'acme',
      project: 'web',
    });
    const { key, plugins, notes } = readJson<{
      readonly key: object;
      readonly notes: readonly string[];
      readonly plugins: readonly { readonly use: string; readonly says?: { readonly limits: readonly object[] } }[];
    }>(reply);
    expect(key).to.include({ name: request.key, origin: 'plugin' });
    expect(notes.join()).to.include('the models, limits and tags that come with it are not known here');
    const { limits = [] } = plugins.find(({ use }) => use === 'rate-limit')?.says ?? {};
    expect(limits[0]).to.include({ scope: 'key', name: request.key, remaining: 0 });
    expect(limits[1]).to.include({ scope: 'project', each: 'user', remaining: 1 });
  });
});
