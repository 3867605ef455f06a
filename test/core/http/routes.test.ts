import { expect } from 'chai';
import Koa from 'koa';
import type { RouteConfig } from '../../../core/config/gateway-config.ts';
import { createErrorBoundary } from '../../../core/http/error-boundary.ts';
import { createRoutes, type RouteParts } from '../../../core/http/routes.ts';
import type { Listener } from '../../../core/http/connection/listener.ts';
import type { ExchangeRoute } from '../../../core/exchange/exchange-state.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { createTestLog } from '../../../core/testing/index.ts';
import { plainClient } from '../exchange/pipeline-scene.ts';
import { catchError } from '../exchange/catch-error.ts';
import { startListener, stopListener } from './koa-server.ts';

const routes: readonly RouteConfig[] = [
  { path: '/v1/chat/completions', wire: 'plain', operation: 'generate', versions: ['1'] },
  { path: '/v1beta/models/{model}:generateContent', wire: 'plain', operation: 'generate' },
  { path: '/v1beta/models/{model}:streamGenerateContent', wire: 'plain', operation: 'generate', stream: true },
  { path: '/v1beta/{model}:generateContent', wire: 'plain', operation: 'generate', versions: ['bare'] },
  { path: '/odd/(a)+[b]c*d!:e', wire: 'plain', operation: 'generate' },
  { path: '/v1/models', wire: 'plain', operation: 'models' },
  { path: '/v1/models/{model}', wire: 'plain', operation: 'models' },
];

/** The routes, which respond with what they matched, and whether Koa was used. */
const parts: RouteParts = {
  codec: (operation, wire) =>
    wire === 'plain' && operation === 'generate' ? { operation, wire, client: plainClient as never } : undefined,
  serve: async (_req, res, _info, { client: _client, ...route }, model) => {
    res.end(JSON.stringify({ ...route, ...(model === undefined ? {} : { model }) }));
  },
  models: (route) => (context) => {
    context.body = { list: route.path, ...(context.params as object) };
  },
  stored:
    ({ operation, info }) =>
    (context) => {
      context.body = { operation, path: info.path, ...(context.params as object) };
    },
};

describe('the routes', () => {
  let listener: Listener;
  before(async () => {
    const app = new Koa();
    const { router, serve } = createRoutes(routes, parts);
    app
      .use(createErrorBoundary(createTestLog(), 'All is elsewhere.'))
      .use(router.routes())
      .use(router.allowedMethods());
    const koa = app.callback();
    listener = await startListener((req, res) => {
      if (serve(req, res) === undefined) koa(req, res);
    });
  });
  after(() => stopListener(listener));

  const post = (path: string): Promise<HttpReply> => send(listener.url, { path, headers: {} });
  const find = async (path: string): Promise<ExchangeRoute & { readonly model?: string }> =>
    JSON.parse((await post(path)).text) as ExchangeRoute & { readonly model?: string };

  it('passes the settings of the route to the exchange', async () => {
    expect(await find('/v1/chat/completions')).to.deep.equal({
      operation: 'generate',
      wire: 'plain',
      traits: {},
      versions: ['1'],
    });
    expect(await find('/v1/chat/completions?beta=true')).to.deep.include({ wire: 'plain' });
  });

  const models: readonly (readonly [path: string, model: string])[] = [
    ['/v1beta/models/gemini:generateContent', 'gemini'],
    ['/v1beta/models/google/gemini-2.5-pro:generateContent', 'google/gemini-2.5-pro'],
    ['/v1beta/models/google%2Fgemini:generateContent', 'google/gemini'],
    ['/v1beta/models/a/b/c:generateContent', 'a/b/c'],
    ['/v1beta/models/ollama/llama3:8b:generateContent', 'ollama/llama3:8b'],
    ['/v1beta/models/ollama/llama3%3A8b:generateContent', 'ollama/llama3:8b'],
    ['/v1beta/models/a:generateContent:generateContent', 'a:generateContent'],
    ['/v1beta/models/m%20odd%3Fq:generateContent', 'm odd?q'],
    ['/v1beta/models/%E6%97%A5:generateContent', '日'],
    ['/v1beta/models/google%2Fgemini%3AgenerateContent', 'google/gemini'],
    ['/v1beta/google/gemini-2.5-pro:generateContent', 'google/gemini-2.5-pro'],
    ['/v1beta/google%2Fgemini%3AgenerateContent', 'google/gemini'],
    ['/v1beta/models/ollama%2Fllama3%3a8b%3agenerateContent', 'ollama/llama3:8b'],
  ];
  for (const [path, model] of models)
    it(`E40: finds the model ${model} in ${path}`, async () => expect((await find(path)).model).to.equal(model));

  it('serves an exact path without Koa, with the same result as with Koa', async () => {
    expect(await find('/v1/chat/completions/')).to.deep.equal(await find('/v1/chat/completions'));
    expect(await find('/V1/Chat/Completions')).to.deep.equal(await find('/v1/chat/completions'));
  });

  it('recognises a stream by its path', async () => {
    expect(await find('/v1beta/models/a/b:streamGenerateContent')).to.deep.equal({
      operation: 'generate',
      wire: 'plain',
      traits: {},
      stream: true,
      model: 'a/b',
    });
    expect(await find('/v1beta/models/a/b:generateContent')).to.not.have.property('stream');
  });

  it('treats every other special character of a path literally', async () => {
    expect(await find('/odd/(a)+[b]c*d!:e')).to.deep.include({ wire: 'plain' });
    for (const path of [
      '/odd/a+bcd!:e',
      '/odd/(aa)[b]c*d!:e',
      '/odd/(a)+[b]cxd!:e',
      '/odd/(a)+bc*d!:e',
      '/odd/(a)+[b]c*d!x',
    ])
      expect((await post(path)).status, path).to.equal(404);
  });

  for (const path of [
    '/v1/chat/completions/x',
    '/v1/chat',
    '/v1beta/models/:generateContent',
    '/v1beta/models/a',
    '/v1beta/models/a:otherMethod',
    '/',
  ]) {
    it(`does not serve ${path}`, async () => expect((await post(path)).status).to.equal(404));
  }

  it('a path that starts with /v1 twice is refused with an explanation', async () => {
    expect((await post('/v1/v1/chat/completions')).text).to.include('ends in /v1 twice');
  });

  it('serves models lists by GET and exchanges by POST, and responds 405 to other methods', async () => {
    const get = await send(listener.url, { method: 'GET', path: '/v1/models/a/b', headers: {} });
    expect(JSON.parse(get.text)).to.deep.equal({ list: '/v1/models/{model}', model: 'a/b' });
    const wrong = await send(listener.url, { method: 'GET', path: '/v1/chat/completions', headers: {} });
    expect([wrong.status, wrong.headers['allow']]).to.deep.equal([405, 'POST']);
    expect(wrong.text).to.include('method_not_allowed');
  });

  it('rejects a route with a wire that no provider offers', () => {
    expect(catchError(() => createRoutes([{ path: '/x', wire: 'unheard-of', operation: 'generate' }], parts)).message)
      .to.include('/x')
      .and.include('unheard-of');
  });
});
