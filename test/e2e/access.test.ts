import { expect } from 'chai';
import auth from '../../plugins/auth/index.ts';
import { definePlugin, type KeyDirectory } from '../../core/index.ts';
import { eventually } from './eventually.ts';
import { builtIns, KEY } from './gateway.ts';
import { send, type HttpReply } from './http.ts';
import { rawRequest, sendRaw } from './raw.ts';
import { startScene, type Scene } from './scene.ts';

const body = JSON.stringify({ model: 'simulator/chat', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] });
const routes = [
  { method: 'POST', path: '/v1/chat/completions' },
  { method: 'POST', path: '/v1/messages' },
  { method: 'GET', path: '/v1/models' },
  { method: 'GET', path: '/v1/models/simulator/chat' },
] as const;
type Route = (typeof routes)[number];

const ask = (scene: Scene, { method, path }: Route, headers: object): Promise<HttpReply> =>
  send(scene.gateway.url, { method, path, headers: { 'anthropic-version': '2023-06-01', ...headers }, ...(method === 'POST' ? { body } : {}) });

/** mission.md's words; messages adds what its SDKs need. */
const checkBody = (reply: HttpReply, { path }: Route, status: number, error: object): void => {
  expect(reply.status).to.equal(status);
  expect(reply.headers['content-type']).to.match(/^application\/json/);
  const superset = path === '/v1/messages' ? { type: 'error', request_id: reply.headers['request-id'] } : {};
  expect(JSON.parse(reply.text)).to.deep.equal({ ...superset, error });
};

describe('who may call', () => {
  const refused = { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' };
  let scene: Scene;
  before(async () => {
    const keys = {
      alice: { key: KEY },
      gone: { key: 'disabled-key-0123456789abcdef', disabled: true },
      late: { key: 'expired-key-0123456789abcdef', expires: '2020-01-01' },
      narrow: { key: 'narrow-key-0123456789abcdef', models: ['openai/*'] },
    };
    scene = await startScene({ organizations: { acme: { projects: { web: { keys } } } } });
  });
  after(() => scene.stop());

  for (const route of routes) {
    it(`a missing or invalid key is a 401 at ${route.method} ${route.path}`, async () => {
      const wrong = [
        {},
        { authorization: '' },
        { authorization: 'Bearer ' },
        { authorization: 'Bearer wrong' },
        { authorization: `Basic ${KEY}` },
        { authorization: KEY },
        { authorization: `Bearer ${KEY}x` },
        { authorization: `Bearer ${KEY.toUpperCase()}` },
        { 'x-api-key': 'wrong' },
        { authorization: `Bearer ${'x'.repeat(5_000)}` },
        { authorization: 'Bearer disabled-key-0123456789abcdef' },
        { authorization: 'Bearer expired-key-0123456789abcdef' },
      ];
      const logged = scene.gateway.exchanges().length;
      for (const headers of wrong) checkBody(await ask(scene, route, headers), route, 401, refused);
      if (route.method === 'POST') {
        await scene.gateway.settled(logged + wrong.length);
        expect(scene.gateway.exchanges().slice(logged).every(({ outcome, status }) => outcome === 'auth' && status === 401)).to.equal(true);
      }
    });

    it(`a key is taken in every form at ${route.method} ${route.path}`, async () => {
      for (const headers of [{ authorization: `Bearer ${KEY}` }, { authorization: `bearer ${KEY}` }, { 'x-api-key': KEY }, { 'x-alt-api-key': KEY }, { 'x-goog-api-key': KEY }]) {
        expect((await ask(scene, route, headers)).status, JSON.stringify(headers)).to.equal(200);
      }
      expect((await send(scene.gateway.url, { ...route, path: `${route.path}?key=${KEY}`, headers: { 'anthropic-version': '2023-06-01' }, ...(route.method === 'POST' ? { body } : {}) })).status).to.equal(200);
    });
  }

  it('the key stands in no line of the log', () => {
    expect(JSON.stringify(scene.gateway.lines)).to.not.include(KEY);
  });

  it('a key refused is refused before its body is read', async () => {
    const text = await sendRaw(scene.gateway.url, rawRequest('/v1/messages', '', ['content-length: 1000000']).replace(KEY, 'wrong'), (received) => received.includes('}}') || received.endsWith('"}'));
    expect(text).to.match(/^HTTP\/1\.1 401 /);
  });

  it('a model that the key may not use is as unknown as one that is not there', async () => {
    const headers = { authorization: 'Bearer narrow-key-0123456789abcdef' };
    const forbidden = await ask(scene, routes[0], headers);
    const unknown = await send(scene.gateway.url, { path: routes[0].path, headers, body: body.replace('simulator/chat', 'simulator/none') });
    expect([forbidden.status, unknown.status]).to.deep.equal([404, 404]);
    expect(forbidden.text.replaceAll('simulator/chat', 'x')).to.equal(unknown.text.replaceAll('simulator/none', 'x'));
    const list = await ask(scene, routes[2], headers);
    expect((JSON.parse(list.text) as { data: { id: string }[] }).data.map(({ id }) => id)).to.deep.equal(['openai/gpt-4.1']);
    expect((await ask(scene, routes[3], headers)).status).to.equal(404);
  });
});

describe('a key directory that cannot be asked', () => {
  const down = { message: 'Auth service temporarily unavailable', type: 'server_error', code: 'service_unavailable' };
  const directories: Readonly<Record<string, KeyDirectory['find']>> = {
    throws: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
    },
    rejects: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
  };

  for (const [how, find] of Object.entries(directories)) {
    describe(`and ${how}`, () => {
      let scene: Scene;
      before(async () => {
        const plugin = definePlugin({ ...auth, create: (options, services) => auth.create(options, { ...services, keys: { find } }) });
        scene = await startScene({}, { ...builtIns, plugin: { auth: plugin } });
      });
      after(() => scene.stop(/connect ECONNREFUSED 10\.0\.0\.7:5432/));

      for (const route of routes) {
        it(`is a 503 at ${route.method} ${route.path}, and never a 401`, async () => {
          const reply = await ask(scene, route, { authorization: `Bearer ${KEY}` });
          checkBody(reply, route, 503, down);
          expect(reply.text).to.not.include('10.0.0.7');
          expect(scene.upstream.calls).to.have.length(0);
        });
      }
      it('is named as the outcome', async () => {
        await eventually('the exchanges are settled', () => scene.gateway.exchanges().length === 2);
        expect(scene.gateway.exchanges().every(({ outcome, status }) => outcome === 'auth' && status === 503)).to.equal(true);
      });
    });
  }
});
