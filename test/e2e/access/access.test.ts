import { expect } from 'chai';
import auth from '../../../plugins/auth/index.ts';
import { definePlugin, type KeyDirectory } from '../../../core/api/index.ts';
import { wires, type Wire } from '../../matrix/wires.ts';
import { callOf, greet, pathOf } from '../../support/calls.ts';
import { until } from '../../support/until.ts';
import { builtIns, KEY } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { rawRequest, sendRaw } from '../../support/raw.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** The wire of its errors. Lists have the shape of the caller's wire: see `wireOf`. */
  readonly wire?: Wire;
}
const MODEL = 'simulator/chat';
const generate = wires.map((wire): Route => ({ method: 'POST', wire, ...callOf(wire, MODEL) }));
const routes: readonly Route[] = [
  ...generate,
  {
    method: 'POST',
    wire: 'google',
    ...callOf('google', MODEL),
    path: pathOf('google', MODEL, true).replace('v1beta', 'v1'),
  },
  { method: 'GET', path: '/v1/models' },
  { method: 'GET', path: `/v1/models/${MODEL}` },
  { method: 'GET', path: '/v1beta/models' },
];

const ask = (scene: Scene, { wire: _wire, ...request }: Route, headers: object): Promise<HttpReply> =>
  send(scene.gateway.url, { ...request, headers: { 'anthropic-version': '2023-06-01', ...headers } });

/** Who asks for a list: `ask` always sends the version header of messages, and the path says more than a header. */
const wireOf = ({ wire, path }: Route): Wire => wire ?? (path.startsWith('/v1beta') ? 'google' : 'messages');

/** Expects the documented body; messages and generate-content add the members that their SDKs need. */
const checkBody = (reply: HttpReply, wire: Wire, status: number, error: object, word: string): void => {
  expect(reply.status).to.equal(status);
  expect(reply.headers['content-type']).to.match(/^application\/json/);
  const beside = wire === 'messages' ? { type: 'error', request_id: reply.headers['request-id'] } : {};
  const inside = wire === 'google' ? { status: word, details: [] } : {};
  expect(JSON.parse(reply.text)).to.deep.equal({ ...beside, error: { ...error, ...inside } });
};

describe('authentication', () => {
  const refused = { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' };
  const noKey =
    'No API key: the request has none, or an empty one. Send it as "Authorization: Bearer KEY"; a variable of the client ' +
    'may not be set.';
  let scene: Scene;
  before(async () => {
    const keys = {
      alice: { key: KEY },
      gone: { key: 'disabled-key-0123456789abcdef', disabled: true },
      late: { key: 'expired-key-0123456789abcdef', expires: '2020-01-01' },
      narrow: { key: 'narrow-key-0123456789abcdef', models: ['openai/*'] },
    };
    // It is one address that presents all the wrong keys of this file.
    scene = await startScene({
      organizations: { acme: { projects: { web: { keys } } } },
      plugins: [{ use: 'auth', config: { failures: false } }],
    });
  });
  after(() => scene.stop());

  for (const route of routes) {
    it(`a missing or invalid key gets 401 at ${route.method} ${route.path}`, async () => {
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
        { 'x-goog-api-key': 'wrong' },
        { 'x-alt-api-key': '' },
        { authorization: `Bearer ${'x'.repeat(5_000)}` },
        { authorization: 'Bearer disabled-key-0123456789abcdef' },
        { authorization: 'Bearer expired-key-0123456789abcdef' },
      ];
      const logged = scene.gateway.exchanges().length;
      for (const headers of wrong) {
        const isEmpty = Object.values(headers).every((value) => /^(?:Bearer )?$/.test(value));
        const error = isEmpty ? { ...refused, message: noKey } : refused;
        checkBody(await ask(scene, route, headers), wireOf(route), 401, error, 'UNAUTHENTICATED');
      }
      if (route.method === 'POST') {
        await scene.gateway.settled(logged + wrong.length);
        expect(
          scene.gateway
            .exchanges()
            .slice(logged)
            .every(({ outcome, status }) => outcome === 'auth' && status === 401),
        ).to.equal(true);
      }
    });

    it(`a key is accepted in every form at ${route.method} ${route.path}`, async () => {
      for (const headers of [
        { authorization: `Bearer ${KEY}` },
        { authorization: `bearer ${KEY}` },
        { 'x-api-key': KEY },
        { 'x-alt-api-key': KEY },
        { 'x-goog-api-key': KEY },
      ]) {
        expect((await ask(scene, route, headers)).status, JSON.stringify(headers)).to.equal(200);
      }
      const { path } = route;
      expect(
        (await ask(scene, { ...route, path: `${path}${path.includes('?') ? '&' : '?'}key=${KEY}` }, {})).status,
      ).to.equal(200);
    });
  }

  for (const client of wires) {
    it(`the client key of a ${client} request is not forwarded to a provider in any form`, async () => {
      scene.upstream.calls.length = 0;
      scene.upstream.answer = greet;
      const forms = [
        { authorization: `Bearer ${KEY}` },
        { 'x-api-key': KEY },
        { 'x-alt-api-key': KEY },
        { 'x-goog-api-key': KEY },
      ];
      for (const wire of wires) {
        const call = callOf(client, modelIds[wire]);
        for (const headers of forms)
          expect((await ask(scene, { method: 'POST', ...call }, headers)).status).to.equal(200);
        expect((await ask(scene, { method: 'POST', ...call, path: `${call.path}?key=${KEY}` }, {})).status).to.equal(
          200,
        );
      }
      expect(scene.upstream.calls).to.have.length(wires.length * (forms.length + 1));
      for (const { path, headers, raw } of scene.upstream.calls)
        expect(path + JSON.stringify(headers) + raw.toString()).to.not.include(KEY);
    });
  }

  it('the log contains no key', () => {
    expect(JSON.stringify(scene.gateway.lines)).to.not.include(KEY);
  });

  it('an invalid key is refused before the body is read', async () => {
    const text = await sendRaw(
      scene.gateway.url,
      rawRequest('/v1/messages', '', ['content-length: 1000000']).replace(KEY, 'wrong'),
      (received) => received.includes('}}') || received.endsWith('"}'),
    );
    expect(text).to.match(/^HTTP\/1\.1 401 /);
  });

  for (const client of wires) {
    it(`a model that the key may not use looks unknown to a ${client} client`, async () => {
      const headers = { authorization: 'Bearer narrow-key-0123456789abcdef' };
      const forbidden = await ask(scene, { method: 'POST', ...callOf(client, MODEL) }, headers);
      const unknown = await ask(scene, { method: 'POST', ...callOf(client, 'simulator/none') }, headers);
      const status = client === 'responses' ? 400 : 404;
      expect([forbidden.status, unknown.status]).to.deep.equal([status, status]);
      const tidy = ({ text }: HttpReply, model: string): string =>
        text.replaceAll(model, 'x').replaceAll(/req_\w+/g, 'id');
      expect(tidy(forbidden, MODEL)).to.equal(tidy(unknown, 'simulator/none'));
    });
  }

  it('model lists leave out models that the key may not use', async () => {
    const headers = { authorization: 'Bearer narrow-key-0123456789abcdef' };
    const list = await ask(scene, { method: 'GET', path: '/v1/models' }, headers);
    expect((JSON.parse(list.text) as { data: { id: string }[] }).data.map(({ id }) => id)).to.deep.equal([
      modelIds.chat,
      modelIds.responses,
    ]);
    const google = await ask(scene, { method: 'GET', path: '/v1beta/models' }, headers);
    expect((JSON.parse(google.text) as { models: { name: string }[] }).models.map(({ name }) => name)).to.deep.equal([
      `models/${modelIds.chat}`,
      `models/${modelIds.responses}`,
    ]);
    for (const path of [`/v1/models/${MODEL}`, `/v1beta/models/${MODEL}`])
      expect((await ask(scene, { method: 'GET', path }, headers)).status).to.equal(404);
  });
});

describe('authentication while the key database fails', () => {
  const down = { message: 'Auth service temporarily unavailable', type: 'server_error', code: 'service_unavailable' };
  const directories: Readonly<Record<string, KeyDirectory['find']>> = {
    throws: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
    },
    rejects: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
  };

  for (const [how, find] of Object.entries(directories)) {
    describe(`while it ${how}`, () => {
      let scene: Scene;
      before(async () => {
        const plugin = definePlugin({
          ...auth,
          create: (options, services) => auth.create(options, { ...services, keys: { find } }),
        });
        scene = await startScene({}, { ...builtIns, plugin: { auth: plugin } });
      });
      after(() => scene.stop(/connect ECONNREFUSED 10\.0\.0\.7:5432/));

      for (const route of routes) {
        it(`a failing key lookup returns 503, never 401, at ${route.method} ${route.path}`, async () => {
          const reply = await ask(scene, route, { authorization: `Bearer ${KEY}` });
          checkBody(reply, wireOf(route), 503, down, 'UNAVAILABLE');
          expect(reply.text).to.not.include('10.0.0.7');
          expect(scene.upstream.calls).to.have.length(0);
        });
      }
      it('a failing key lookup is recorded as an error of the gateway, which the alerts count', async () => {
        await until('the exchanges are settled', () => scene.gateway.exchanges().length === generate.length + 1);
        const recorded = scene.gateway.exchanges().map(({ outcome, status }) => `${outcome} ${status}`);
        expect(new Set(recorded)).to.deep.equal(new Set(['gateway_error 503']));
      });
    });
  }
});
