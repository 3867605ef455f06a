import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import OpenAI from 'openai';
import { definePlugin, GatewayError, type MiddlewareContext, type PluginInstance } from '../../core/api/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startScene, type Scene } from '../support/scene.ts';

type Middleware = NonNullable<PluginInstance['middleware']>;
const pass: Middleware = (_context, next) => next();
let outer = pass;
let inner = pass;
const pluginOf = (name: string, middleware: Middleware) =>
  definePlugin({ kind: 'plugin', apiVersion: 1, name, schema: { type: 'object' }, create: () => ({ middleware }) });
const extensions = {
  ...builtIns,
  plugin: {
    ...builtIns.plugin,
    outer: pluginOf('outer', (context, next) => outer(context, next)),
    inner: pluginOf('inner', (context, next) => inner(context, next)),
  },
};

interface Refusal {
  readonly status: number;
  readonly error: unknown;
  readonly requestID: string;
}

describe('the middleware of a plugin', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene(
      {
        plugins: [{ use: 'auth' }, { use: 'outer' }, { use: 'inner' }],
        server: { port: 0, trustProxy: ['127.0.0.1'] },
      },
      extensions,
    );
  });
  beforeEach(() => {
    [outer, inner] = [pass, pass];
  });
  after(() => scene.stop(/^a plugin failed: |the upstream/));

  const chat = (options: { readonly query?: Record<string, string>; readonly headers?: Record<string, string> } = {}) =>
    new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 }).chat.completions.create(
      { model: 'simulator/chat', messages: [{ role: 'user', content: 'Hi' }] },
      options,
    );
  const messages = () =>
    new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 }).messages.create({
      model: 'simulator/chat',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hi' }],
    });
  const refusal = (call: Promise<unknown>): Promise<Refusal> =>
    call.then(
      () => Promise.reject(new Error('The request was not refused.')),
      (error: unknown) => error as Refusal,
    );

  it('reads the request, shares values with the next one, and sets headers of the response', async () => {
    let seen: unknown;
    outer = async (context, next) => {
      const { method, path, headers, query, ip, requestId, route } = context;
      seen = { method, path, type: headers['content-type'], own: headers['x-koine-own'], query, ip, route };
      context.state['team'] = `${context.get('X-Team')} ${requestId}`;
      await next();
    };
    inner = async (context, next) => {
      context.set('x-team', String(context.state['team']));
      await next();
    };
    const headers = { 'x-team': 'blue', 'x-forwarded-for': '192.0.2.7', 'x-koine-own': 'a client' };
    const { response } = await chat({ query: { api: '2' }, headers }).withResponse();
    expect(seen).to.deep.equal({
      method: 'POST',
      path: '/v1/chat/completions',
      type: 'application/json',
      own: undefined,
      query: { api: '2' },
      ip: '192.0.2.7',
      route: { path: '/v1/chat/completions', operation: 'generate', wire: 'chat-completions' },
    });
    const id = response.headers.get('x-request-id');
    expect(id).to.match(/^req_/);
    expect(response.headers.get('x-team')).to.equal(`blue ${id}`);
  });

  it('finds routes with a model in their path, and none for unknown paths', async () => {
    const routes: MiddlewareContext['route'][] = [];
    outer = (context, next) => {
      routes.push(context.route);
      return next();
    };
    const headers = { authorization: `Bearer ${KEY}` };
    await send(scene.gateway.url, { path: '/v1beta/models/simulator/chat:generateContent', headers, body: '{}' });
    await send(scene.gateway.url, { method: 'GET', path: '/v1/models', headers });
    await send(scene.gateway.url, { method: 'GET', path: '/nowhere', headers });
    expect(routes.map((route) => route?.operation)).to.deep.equal(['generate', 'models', undefined]);
    expect(routes[0]?.wire).to.equal('generate-content');
  });

  it('sends a response of its own without calling the rest', async () => {
    outer = async (context) => {
      context.status = 203;
      context.body = { from: 'the plugin' };
    };
    const { status, text } = await send(scene.gateway.url, { method: 'GET', path: '/anywhere', headers: {} });
    expect({ status, text }).to.deep.equal({ status: 203, text: '{"from":"the plugin"}' });
  });

  const refusals: readonly (readonly [what: string, refuse: Middleware, status: number, message: string])[] = [
    [
      'a GatewayError',
      () => Promise.reject(new GatewayError('permission_denied', 'Not from here.')),
      403,
      'Not from here.',
    ],
    ['context.throw', async (context) => context.throw(413, 'Too much.'), 413, 'Too much.'],
    [
      'an error of http-errors',
      () => Promise.reject(Object.assign(new Error('A teapot.'), { status: 418, expose: true })),
      418,
      'A teapot.',
    ],
    [
      'any other error',
      () => Promise.reject(new Error('SECRET bug')),
      500,
      'The gateway failed to handle this request.',
    ],
    [
      'a 5xx of context.throw',
      async (context) => context.throw(503, 'SECRET'),
      500,
      'The gateway failed to handle this request.',
    ],
  ];
  for (const [what, refuse, status, message] of refusals) {
    it(`the client gets ${what} of a middleware in its own wire`, async () => {
      let id = '';
      outer = async (context, next) => {
        id = context.requestId;
        return refuse(context, next);
      };
      const openai = await refusal(chat());
      expect(openai).to.include({ status, requestID: id });
      expect(openai.error).to.include({ message }).and.to.have.property('param');
      const anthropic = await refusal(messages());
      expect(anthropic).to.include({ status, requestID: id });
      expect(anthropic.error).to.deep.include({ type: 'error', request_id: id });
      expect(anthropic.error).to.have.nested.property('error.message', message);
    });
  }

  it('a refusal after the response has been sent changes nothing', async () => {
    outer = async (context, next) => {
      await next();
      context.throw(403, 'Too late.');
    };
    expect((await chat()).choices[0]?.finish_reason).to.equal('stop');
  });

  it('a refused stream is an error of the wire, not a stream', async () => {
    outer = async (context) => context.throw(403, 'Not streamed.');
    const { status, headers, text } = await send(scene.gateway.url, {
      path: '/v1/messages',
      body: JSON.stringify({ model: 'simulator/chat', stream: true }),
    });
    expect({ status, type: headers['content-type'] }).to.deep.equal({
      status: 403,
      type: 'application/json; charset=utf-8',
    });
    expect(JSON.parse(text)).to.have.nested.property('error.type', 'permission_error');
  });
});
