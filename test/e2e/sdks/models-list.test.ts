import { ApiError, type GoogleGenAI } from '@google/genai';
import { expect } from 'chai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createGoogleClient } from '../../matrix/clients/client-google.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import type { Json } from '../../matrix/wires.ts';
import { greet } from '../../support/calls.ts';
import { KEY } from '../../support/gateway.ts';
import { readError, send, type HttpReply } from '../../support/http.ts';
import { entryOf, GOOGLE, MESSAGES, modelIds, sceneModels, startScene, type Scene } from '../../support/scene.ts';

const DEEP = 'google/tuned/v1/gemini-2.5-flash';
const CLOSED = 'openai/closed';
const ids = [...Object.values(modelIds), 'simulator/chat', DEEP, CLOSED, 'sonnet'];
const NARROW = 'narrow-key-0123456789abcdef';

/** One catalog, in the shape of the caller's wire. */
describe('the models list', () => {
  let scene: Scene;
  let google: GoogleGenAI;
  before(async () => {
    const keys = {
      alice: { key: KEY, vendorState: 'allow' },
      narrow: { key: NARROW, models: [GOOGLE, MESSAGES] },
    };
    const organizations = { acme: { projects: { web: { keys } } } };
    const models = {
      ...sceneModels,
      [DEEP]: entryOf(DEEP),
      [CLOSED]: { wires: ['responses'], targets: [{ provider: 'openai', model: 'closed' }] },
    };
    scene = await startScene({ models, aliases: { sonnet: MESSAGES }, organizations });
    scene.upstream.answer = greet;
    google = createGoogleClient(scene.gateway.url);
  });
  after(() => scene.stop());

  const get = (path: string, headers: object = { 'x-goog-api-key': KEY }): Promise<HttpReply> =>
    send(scene.gateway.url, { method: 'GET', path, headers: { ...headers } });
  const read = async (path: string, headers?: object): Promise<Json> => {
    const reply = await get(path, headers);
    expect(reply.status, reply.text).to.equal(200);
    return JSON.parse(reply.text) as Json;
  };

  it('three SDKs read the same models', async () => {
    const chat = (await Array.fromAsync(createChatClient(scene.gateway.url).models.list())).map(({ id }) => id);
    const messages = (await Array.fromAsync(createMessagesClient(scene.gateway.url).models.list())).map(({ id }) => id);
    const genai = (await Array.fromAsync(await google.models.list())).map(({ name }) => name);
    expect(chat).to.have.members(ids);
    expect(messages).to.deep.equal(chat);
    expect(genai).to.deep.equal(chat.map((id) => `models/${id}`));
  });

  it('a key sees the models that it may use, and their aliases, in the shape of each wire', async () => {
    const names = [MESSAGES, GOOGLE, 'sonnet'];
    const openAi = await read('/v1/models', { authorization: `Bearer ${NARROW}` });
    expect((openAi['data'] as readonly Json[]).map(({ id }) => id)).to.have.members(names);
    const anthropic = await read('/v1/models', { 'x-api-key': NARROW, 'anthropic-version': '2023-06-01' });
    expect((anthropic['data'] as readonly Json[]).map(({ id }) => id)).to.have.members(names);
    const google = await read('/v1beta/models', { 'x-goog-api-key': NARROW });
    expect((google['models'] as readonly Json[]).map(({ name }) => name)).to.have.members(
      names.map((name) => `models/${name}`),
    );
    expect(await read('/v1/models/sonnet', { authorization: `Bearer ${NARROW}` })).to.include({ id: 'sonnet' });
  });

  it('the Google SDK pages through the models', async () => {
    const pager = await google.models.list({ config: { pageSize: 3 } });
    expect(pager.page).to.have.length(3);
    expect((await Array.fromAsync(pager)).map(({ name }) => name)).to.have.members(ids.map((id) => `models/${id}`));
  });

  it('Google clients see the supported methods of each model', async () => {
    const { models } = (await read('/v1beta/models')) as { readonly models: readonly Json[] };
    const methods = new Map(models.map(({ name, supportedGenerationMethods }) => [name, supportedGenerationMethods]));
    expect(methods.get(`models/${GOOGLE}`)).to.deep.equal(['generateContent', 'streamGenerateContent', 'countTokens']);
    expect(methods.get(`models/${CLOSED}`)).to.deep.equal([]);
  });

  it('the list has the shape of the caller’s wire under either version', async () => {
    const openAi = { authorization: `Bearer ${KEY}` };
    expect(await read('/v1/models', openAi))
      .to.include({ object: 'list' })
      .and.have.nested.include({ 'data[0].object': 'model' });
    expect(await read('/v1/models', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' })).to.include.all.keys(
      'data',
      'has_more',
      'first_id',
      'last_id',
    );
    for (const path of ['/v1/models', '/v1beta/models'])
      expect(await read(path))
        .to.have.nested.property('models[0].name')
        .that.matches(/^models\//);
    expect(await read(`/v1/models?key=${KEY}`, {})).to.have.property('models');
    expect(await read('/v1beta/models', openAi), 'the path says it').to.have.property('models');
  });

  it('the Google SDK reads one model', async () => {
    for (const model of [GOOGLE, `models/${GOOGLE}`, DEEP])
      expect((await google.models.get({ model })).name).to.equal(`models/${model.replace(/^models\//, '')}`);
    const missing: unknown = await google.models.get({ model: 'google/nothing' }).catch((thrown: unknown) => thrown);
    expect(missing).to.be.instanceOf(ApiError).and.include({ status: 404 });
  });

  it('E40 a model id with slashes is found, encoded or not', async () => {
    for (const version of ['v1', 'v1beta']) {
      for (const id of [GOOGLE, DEEP, 'simulator/chat']) {
        for (const spelling of [id, encodeURIComponent(id)])
          expect(await read(`/${version}/models/${spelling}`), spelling).to.include({ name: `models/${id}` });
      }
    }
    const openAi = { authorization: `Bearer ${KEY}` };
    for (const spelling of [DEEP, encodeURIComponent(DEEP)])
      expect(await read(`/v1/models/${spelling}`, openAi)).to.include({ id: DEEP });
  });

  it('an unknown model gets an error in the caller’s wire', async () => {
    for (const path of ['/v1/models/google/nothing', '/v1beta/models/google%2Fnothing', '/v1beta/models/__proto__']) {
      const reply = await get(path);
      expect(reply.status, reply.text).to.equal(404);
      expect(readError(reply).error.message).to.include('does not exist');
      expect(readError(reply).error, path).to.include({ code: 404, status: 'NOT_FOUND' });
    }
    const openAi = await get('/v1/models/nothing', { authorization: `Bearer ${KEY}` });
    expect(readError(openAi).error).to.include({
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
    });
    const anthropic = await get('/v1/models/nothing', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' });
    expect(readError(anthropic))
      .to.deep.include({ type: 'error' })
      .and.have.nested.property('error.type', 'not_found_error');
    expect(readError(await get('/v1beta/models', { 'x-goog-api-key': 'wrong' })).error).to.include({
      code: 'invalid_api_key',
      status: 'UNAUTHENTICATED',
    });
  });
});

describe('the model in the path of a Google client', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: { ...sceneModels, [DEEP]: entryOf(DEEP) },
      aliases: { flash: GOOGLE, 'gemini-2.5-flash': GOOGLE },
    });
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
  const spellingsOf = (id: string): readonly string[] => [
    id,
    encodeURIComponent(id),
    `models/${id}`,
    `models%2F${encodeURIComponent(id)}`,
    id.replaceAll('/', '%2f'),
  ];

  for (const [id, vendor] of [
    [GOOGLE, 'gemini-2.5-flash'],
    [DEEP, 'tuned/v1/gemini-2.5-flash'],
    ['flash', 'gemini-2.5-flash'],
  ] as const) {
    it(`E40 a model is found in any spelling of its slashes and colon: ${id}`, async () => {
      for (const version of ['v1', 'v1beta']) {
        for (const spelling of spellingsOf(id)) {
          for (const method of [
            ':generateContent',
            '%3AgenerateContent',
            ':streamGenerateContent?alt=sse',
            '%3AstreamGenerateContent',
          ]) {
            const path = `/${version}/models/${spelling}${method}`;
            scene.upstream.calls.length = 0;
            const reply = await send(scene.gateway.url, { path, body });
            expect(reply.status, `${path} ${reply.text}`).to.equal(200);
            expect(reply.headers['x-koine-model']).to.equal(id === 'flash' ? GOOGLE : id);
            expect(decodeURIComponent(scene.upstream.calls[0]?.path ?? '')).to.include(`/models/${vendor}:`);
          }
        }
      }
    });
  }

  it('an unknown or missing method is refused', async () => {
    for (const path of [
      `/v1beta/models/${GOOGLE}:doMagic`,
      `/v1beta/models/${GOOGLE}`,
      `/v1beta/models/${GOOGLE}:`,
      '/v1beta/models/:generateContent',
    ]) {
      const reply = await send(scene.gateway.url, { path, body });
      expect(reply.status, `${path} ${reply.text}`).to.be.oneOf([400, 404, 405]);
      expect(readError(reply).error.message).to.not.equal('');
    }
  });
});
