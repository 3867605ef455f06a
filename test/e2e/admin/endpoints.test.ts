import { expect } from 'chai';
import { definePlugin, GatewayError, type EndpointRequest, type EndpointRouter } from '../../../core/api/index.ts';
import { builtIns, KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';

const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
};

const start = (endpoints: (router: EndpointRouter) => void): Promise<TestGateway> => {
  const pages = definePlugin({
    kind: 'plugin',
    apiVersion: 1,
    name: 'pages',
    schema: { type: 'object' },
    create: () => ({ endpoints }),
  });
  return startTestGateway(
    { ...settings, plugins: [{ use: 'auth' }, { use: 'pages', timeout: '200ms' }] },
    { ...builtIns, plugin: { ...builtIns.plugin, pages } },
  );
};

describe('endpoints of plugins on the data listener', () => {
  const seen: EndpointRequest[] = [];
  let gateway: TestGateway;
  before(async () => {
    gateway = await start((router) => {
      router.get('/v1/good', (request) => {
        seen.push(request);
        return { headers: { 'x-more': 'yes' }, body: { project: request.caller.project } };
      });
      router.get('/v1/refused', () =>
        Promise.reject(new GatewayError('invalid_request', 'The bucket is unknown.', { param: 'bucket' })),
      );
      router.get('/v1/broken', () => {
        throw new Error('a secret of the plugin');
      });
      router.get('/v1/silent', () => new Promise(() => {}));
    });
  });
  after(() => gateway.stop());
  const ask = (
    path: string,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${KEY}` },
  ): Promise<HttpReply> => send(gateway.url, { method: 'GET', path, headers });

  it('a plugin endpoint receives the caller, and its response is sent', async () => {
    const reply = await ask('/v1/good?since=7');
    expect([reply.status, JSON.parse(reply.text), reply.headers['x-more']]).to.deep.equal([
      200,
      { project: 'web' },
      'yes',
    ]);
    expect(reply.headers['x-request-id']).to.match(/^req_/);
    expect(seen.at(-1)?.caller).to.include({ key: 'alice', organization: 'acme' });
    expect(seen.at(-1)?.query).to.deep.equal({ since: '7' });
  });

  it('a plugin endpoint never receives the key of the query', async () => {
    await ask(`/v1/good?key=${KEY}`, {});
    expect(seen.at(-1)?.query).to.deep.equal({});
  });

  it('a plugin endpoint is not called without a valid key', async () => {
    const before = seen.length;
    const strangers: readonly Readonly<Record<string, string>>[] = [{}, { authorization: 'Bearer wrong' }];
    for (const headers of strangers) {
      const reply = await ask('/v1/good', headers);
      expect(reply.status).to.equal(401);
      expect(reply.text).to.include('invalid_api_key');
    }
    expect(seen).to.have.length(before);
  });

  it('a refusal of a plugin endpoint has the shape of the chat-completions wire', async () => {
    const reply = await ask('/v1/refused');
    expect(reply.status).to.equal(400);
    expect(JSON.parse(reply.text)).to.deep.equal({
      error: {
        message: 'The bucket is unknown.',
        type: 'invalid_request_error',
        param: 'bucket',
        code: 'invalid_request',
      },
    });
  });

  for (const path of ['/v1/broken', '/v1/silent']) {
    it(`a failing plugin endpoint at ${path} gets 500 without details, and the log has them`, async () => {
      const reply = await ask(path);
      expect(reply.status).to.equal(500);
      expect(reply.text).to.not.include('secret');
      expect(gateway.lines.findLast(({ text }) => text === 'a plugin failed')?.fields).to.include({
        plugin: 'pages',
        hook: 'endpoints',
      });
    });
  }

  it('a plugin endpoint accepts GET only', async () => {
    const reply = await send(gateway.url, {
      method: 'POST',
      path: '/v1/good',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(reply.status).to.equal(405);
  });
});

describe('conflicting paths of plugin endpoints', () => {
  for (const path of ['/v1/models', '/v1/twice']) {
    it(`a plugin endpoint at ${path} prevents the start`, async () => {
      const failed = await start((router) => {
        router.get(path, () => ({ body: '' }));
        if (path === '/v1/twice') router.get(path, () => ({ body: '' }));
      }).catch((thrown: unknown) => thrown);
      expect(GatewayError.is(failed) && failed.code).to.equal('KOINE_EXTENSION_DUPLICATE');
      expect(String(failed)).to.include(path);
    });
  }
});
